import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account}：顔確認',
    tabAlone: '顔確認',
    ask: '{account}に問い合わせる',
  },
  loading: {
    title: '確認を読み込んでいます',
    progress: 'ネットワークから読み込み中：{total} MB中{loaded} MB',
    wrongFile:
      'ネットワークから別の内容が返されました。サインインを求められる場合は、先にサインインしてください。そうでない場合は、別のネットワークをお使いください。',
  },
  getReady: {
    desk: '明かりに向かって座り、目をカメラの高さに合わせてください。約20秒、点滅はありません。',
    moves: 'はじめは静止し、次に図のとおりに動いてください。動作はそのつど表示されます。',
  },
  unblock: {
    chromeAndroid: 'アドレスの横のアイコン、「権限」、「カメラ」、「許可」の順にタップしてください。',
    firefox: 'アドレスの横のカメラのアイコンを選び、ブロックを解除して、もう一度お試しください。',
    firefoxAndroid: 'アドレスの横の鍵をタップし、「カメラ」を「許可」にしてください。',
    safari: 'Safariメニューの「このWebサイトでの設定」を開き、「カメラ」を「許可」にしてください。',
  },
  inApp: {
    title: '{app}の中ではカメラを使えません',
    text: '{app}のメニュー（⋯ または ⋮）から「ブラウザで開く」を選んでください。または、リンクをコピーしてSafariかChromeで開いてください。',
  },
}

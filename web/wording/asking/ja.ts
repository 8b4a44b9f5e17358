import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
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
    light: '明かりに顔を向ける',
    phone: 'スマートフォンを目の高さに',
    desk: 'カメラを目の高さに',
    moves: '指示が出たら動く',
    time: '約10秒、点滅はありません。',
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
  surroundings: {
    noPicture: {
      title: 'このカメラには何も映っていません',
      text: 'カバーを開けるか、別のカメラを選んでください。',
    },
    smallPicture: {
      title: 'このカメラの映像は小さすぎます',
      text: '別のカメラを選ぶか、別の端末で確認ページを開いてください。',
    },
    hiddenPictures: {
      title: 'このブラウザはカメラの映像を隠しています',
      text: 'アドレスの横の記号からこのページに canvas データを許可し、再読み込みしてください。または別のブラウザでリンクを開いてください。',
    },
    noWebAssembly: {
      title: 'WebAssembly がオフになっています',
      text: 'ブラウザのセキュリティ設定でこのページに許可し、再読み込みしてください。または別のブラウザでリンクを開いてください。',
    },
    slowNetwork: {
      title: '今はネットワークが遅すぎます',
      text: '別のネットワークに切り替えるか電波のよい場所に移り、もう一度お試しください。',
    },
  },
}

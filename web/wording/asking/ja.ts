import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account}：顔の確認',
    tabAlone: '顔の確認',
    ask: '{account} に問い合わせる',
  },
  getReady: {
    desk: '明かりに向かって座り、目をカメラの高さに合わせてください。約20秒、点滅はありません。',
    moves: 'まず静止し、次に図のとおりに動きます。どの動きかは、そのつど表示されます。',
  },
  unblock: {
    chromeAndroid: 'アドレスの前のアイコン、権限、カメラ、許可の順にタップしてください。',
    firefox: 'アドレスの前のカメラの記号を選び、横のブロックを解除して、もう一度お試しください。',
    firefoxAndroid: 'アドレスの前の鍵をタップし、カメラを「許可」にしてください。',
    safari: 'Safari メニューの「この Web サイトの設定」を開き、カメラを「許可」にしてください。',
  },
  inApp: {
    title: '{app} の中ではカメラを使えません',
    text: '{app} のメニュー（⋯ または ⋮）から「ブラウザで開く」を選んでください。または、リンクをコピーして Safari か Chrome で開いてください。',
  },
}

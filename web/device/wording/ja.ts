import type { DeviceWording } from './device-wording.ts'

/** Japanese. */
export const ja: DeviceWording = {
  locale: 'ja',
  direction: 'ltr',
  title: {
    tab: 'この端末',
    before: 'この端末でできること',
    measuring: '測定しています',
    measured: 'この端末の測定結果',
    failed: '測定できませんでした',
  },
  text: {
    before:
      'このページでは、このブラウザで確認を行えるか、どのくらいの速さかを測定します。画像はこの端末の外に出ず、破棄されます。何も送信されません。結果はコピーできるレポートとして表示されます。',
    measuring: '最長30秒ほどかかります。何も送信されません。',
    report: 'レポートには画像もカメラの名前も含まれません。ブラウザの種類は含まれます。',
  },
  button: {
    withCamera: 'カメラを使って測定',
    withoutCamera: 'カメラを使わずに測定',
    copy: 'レポートをコピー',
    copied: 'コピーしました',
    share: 'レポートを共有',
  },
  findings: {
    locale: 'ja',
    question: {
      check: '確認を行えるか',
      camera: 'カメラ',
      speed: '速度',
      memory: 'メモリ',
      storage: '保存領域',
      passkeys: 'この端末のパスキー',
      screen: '画面を点灯したままにできるか',
    },
    answer: {
      yes: 'はい',
      no: 'いいえ',
      refused: '拒否',
      notReported: '情報なし',
      notKnown: '不明',
      notAsked: '未確認',
      notMeasured: '未測定',
      roomUnknown: '空き容量の情報なし',
      kept: '保持される',
      mayBeCleared: '消去されることがある',
    },
    lacks: (what) => `いいえ（不足：${what}）`,
    noPicture: (problem) => `画像なし（${problem}）`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `毎秒${pictures}枚`,
    speed: (seconds, milliseconds, picture) =>
      `最初の応答まで${seconds}秒、以後1枚あたり${milliseconds}ミリ秒（${picture === 'camera' ? 'カメラの画像' : '描画した画像'}）`,
    gigabytes: (count) => `約${count} GB`,
    room: (megabytes) => `空き容量 ${megabytes} MB`,
  },
}

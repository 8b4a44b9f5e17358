import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: 'もう一度試しましょう',
    text: '確認はまだ完了していません。さまざまな理由が考えられます。',
    otherWay: '{account}には顔の写真を使わない方法があります。その方法を選ぶと、この確認は終わります。',
    light: '顔に均一に光が当たり、後ろに明るいものがない場所を選んでください。',
    size: '顔を楕円と同じ大きさに保ち、カメラを目の高さに合わせてください。',
    blur: 'カメラを拭き、輪がいっぱいになるまで動かないでください。',
    steps: '指示が出たらすぐに動き、その動きだけをしてください。',
  },
  tries: { other: 'あと{n}回試せます。' },
  links: {
    takeOtherWay: '別の方法を選ぶ',
    privacy: '{account}でのデータの扱い',
    terms: '{account}の規約',
  },
}

import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: '我们再试一次',
    text: '此次验证尚未完成，可能有多种原因。',
    otherWay: '{account} 提供不用面部照片的方式。选择后，此次验证即结束。',
    light: '请选择光线均匀照在脸上、身后没有强光的地方。',
    size: '请让脸与椭圆框一样大，并让摄像头与眼睛齐平。',
    blur: '圆环填满之前请保持不动，并事先擦拭摄像头。',
    steps: '看到提示后请立即做动作，并且只做这一个。',
  },
  tries: { other: '您还可以再试 {n} 次。' },
  links: {
    takeOtherWay: '使用其他方式',
    privacy: '{account} 如何使用您的数据',
    terms: '{account} 的条款',
  },
}

import type { DeviceWording } from './device-wording.ts'

/** Chinese. */
export const zh: DeviceWording = {
  locale: 'zh',
  direction: 'ltr',
  title: {
    tab: '此设备',
    before: '此设备能做什么？',
    measuring: '正在测量',
    measured: '此设备的测量结果',
    failed: '无法测量',
  },
  text: {
    before:
      '本页测量此浏览器能否进行验证以及速度如何。图片只留在此设备上，随后丢弃。不会发送任何内容：您会得到一份可以复制的报告。',
    measuring: '最多需要半分钟。不会发送任何内容。',
    report: '报告中没有图片，也没有摄像头名称，但会说明这是哪种浏览器：',
  },
  button: {
    withCamera: '使用摄像头测量',
    withoutCamera: '不使用摄像头测量',
    copy: '复制报告',
    copied: '已复制',
    share: '分享报告',
  },
  findings: {
    locale: 'zh',
    question: {
      check: '能否进行验证',
      camera: '摄像头',
      speed: '速度',
      memory: '内存',
      storage: '存储空间',
      passkeys: '此设备上的通行密钥',
      screen: '能否保持屏幕常亮',
    },
    answer: {
      yes: '是',
      no: '否',
      refused: '被拒绝',
      notReported: '未提供',
      notKnown: '未知',
      notAsked: '未询问',
      notMeasured: '未测量',
      roomUnknown: '空间大小未提供',
      kept: '会保留',
      mayBeCleared: '可能被清除',
    },
    lacks: (what) => `否，缺少：${what}`,
    noPicture: (problem) => `没有图片（${problem}）`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `每秒 ${pictures} 张图片`,
    speed: (seconds, milliseconds, picture) =>
      `${seconds} 秒后得到首个结果，之后每张图片 ${milliseconds} 毫秒（${picture === 'camera' ? '来自摄像头' : '绘制的图片'}）`,
    gigabytes: (count) => `约 ${count} GB`,
    room: (megabytes) => `可用空间 ${megabytes} MB`,
  },
}

import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
  asker: {
    tab: '{account}：人脸验证',
    tabAlone: '人脸验证',
    ask: '询问 {account}',
  },
  loading: {
    title: '正在加载验证',
    progress: '正在通过网络加载：{loaded} / {total} MB',
    wrongFile: '您的网络返回了其他内容。如果网络要求登录，请先登录；否则请换一个网络。',
  },
  getReady: {
    light: '面向光源',
    phone: '手机与眼睛齐平',
    desk: '摄像头与眼睛齐平',
    moves: '按提示做动作',
    time: '约 10 秒，不会闪烁。',
  },
  unblock: {
    chromeAndroid: '请轻触网址旁的图标，依次选择“权限”、“摄像头”、“允许”。',
    firefox: '请点击网址旁的摄像头图标，解除阻止，然后重试。',
    firefoxAndroid: '请轻触网址旁的锁形图标，再轻触“摄像头”，直到显示“已允许”。',
    safari: '请打开 Safari 菜单，选择此网站的设置，再选择“摄像头”，然后选择“允许”。',
  },
  inApp: {
    title: '在 {app} 内无法打开摄像头',
    text: '请打开 {app} 的菜单（⋯ 或 ⋮），选择“在浏览器中打开”。也可以复制链接并在 Safari 或 Chrome 中打开。',
  },
  surroundings: {
    noPicture: {
      title: '此摄像头没有画面',
      text: '请打开镜头盖，或选择其他摄像头。',
    },
    smallPicture: {
      title: '此摄像头的画面太小',
      text: '请选择其他摄像头，或在其他设备上打开验证。',
    },
    hiddenPictures: {
      title: '此浏览器隐藏了摄像头画面',
      text: '请通过网址旁的图标允许此页面使用 canvas 数据，然后重新加载。或在其他浏览器中打开链接。',
    },
    noWebAssembly: {
      title: '此浏览器已关闭 WebAssembly',
      text: '请在浏览器的安全设置中允许此页面使用，然后重新加载。或在其他浏览器中打开链接。',
    },
    slowNetwork: {
      title: '当前网络太慢',
      text: '请更换网络或移到信号更好的地方，然后重试。',
    },
  },
}

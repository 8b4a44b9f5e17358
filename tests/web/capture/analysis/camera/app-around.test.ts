import { expect, test } from 'vitest'
import { appAround } from '#web/capture/analysis/camera/app-around.ts'

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const iPhone = (version: string) => `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) ${webKit}`
const android = (device: string, chrome: string) =>
  `Mozilla/5.0 (Linux; ${device}) ${blink} Version/4.0 Chrome/${chrome} Mobile Safari/537.36`

/**
 * These apps' user agents, and similar ones from browsers. Gmail's has not been seen on a device. If it does not
 * identify itself, people see the text for any other app.
 */
const rows: readonly (readonly [app: string | undefined, userAgent: string])[] = [
  [
    'Instagram',
    `${iPhone('17_4_1')} Mobile/21E236 Instagram 325.0.3.34.90 (iPhone14,5; iOS 17_4_1; en_US; en; scale=3.00; 1170x2532; 588838943)`,
  ],
  [
    'Instagram',
    `${android('Android 13; SM-S918B Build/TP1A.220624.014; wv', '122.0.6261.119')} Instagram 321.0.0.39.106 Android (33/13; 480dpi; 1080x2115; samsung; SM-S918B; dm3q; qcom; de_DE; 570156985)`,
  ],
  [
    'Facebook',
    `${iPhone('16_6')} Mobile/15E148 [FBAN/FBIOS;FBAV/435.0.0.42.112;FBBV/533410507;FBDV/iPhone14,3;FBMD/iPhone;FBSN/iOS;FBSV/16.6;FBSS/3;FBCR/;FBID/phone;FBLC/en_US;FBOP/80]`,
  ],
  [
    'Facebook',
    `${android('Android 12; SM-A325F Build/SP1A.210812.016; wv', '120.0.6099.144')} [FB_IAB/FB4A;FBAV/443.0.0.23.229;]`,
  ],
  [
    'Messenger',
    `${iPhone('16_6')} Mobile/20G75 [FBAN/MessengerForiOS;FBAV/424.0.0.33.110;FBDV/iPhone13,2;FBMD/iPhone;FBSN/iOS;FBSV/16.6;FBLC/de_DE]`,
  ],
  [
    'Messenger',
    `${android('Android 12; Pixel 5; wv', '120.0.6099.144')} [FB_IAB/Orca-Android;FBAV/440.0.0.27.105;]`,
  ],
  [
    'WeChat',
    `${iPhone('17_5_1')} Mobile/15E148 MicroMessenger/8.0.50(0x1800323d) NetType/WIFI Language/zh_CN`,
  ],
  [
    'WeChat',
    `${android('Android 14; 23127PN0CC Build/UKQ1.230804.001; wv', '116.0.0.0')} XWEB/1160117 MMWEBSDK/20240404 MMWEBID/8391 MicroMessenger/8.0.49.2600(0x28003133) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64`,
  ],
  ['LinkedIn', `${iPhone('17_7_2')} Version/18.3 Mobile/15E148 Safari/604.1 [LinkedInApp]/9.24.3895`],
  ['LinkedIn', `${android('Android 14; SM-A546B; wv', '124.0.6367.82')} [LinkedInApp]/4.1.946`],
  ['Gmail', `${iPhone('17_5_1')} Mobile/15E148 Gmail/6.0.240602`],
  ['Google', `${iPhone('17_5_1')} GSA/320.0.640507250 Mobile/15E148 Safari/604.1`],
  ['Teams', `${iPhone('18_5')} Mobile/15E148 TeamsMobile-iOS`],
  ['Teams', `${android('Android 14; Pixel 8; wv', '126.0.6478.71')} TeamsMobile-Android`],
  [
    'Teams',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Teams/1.8.00.3758 Chrome/126.0.6478.261 Electron/31.7.7 Safari/537.36`,
  ],
  [undefined, `${iPhone('17_5_1')} Mobile/15E148`],
  [undefined, android('Android 13; Pixel 6 Build/TQ3A.230805.001; wv', '115.0.5790.166')],
  [undefined, `${iPhone('18_5')} Version/18.5 Mobile/15E148 Safari/604.1`],
  [undefined, `${iPhone('18_5')} CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1`],
  [undefined, `Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/138.0.0.0 Mobile Safari/537.36`],
  [
    undefined,
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`,
  ],
  [undefined, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
]

test.each(rows)('%s: %s', (app, userAgent) => expect(appAround(userAgent)).toBe(app))

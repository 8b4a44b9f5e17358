import { expect, test } from 'vitest'
import { browserKindOf } from '#web/capture/screens/drawings/browser-kind.ts'

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    'ios',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webKit} Version/18.5 Mobile/15E148 Safari/604.1`,
    5,
  ],
  [
    'ios',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webKit} CriOS/138.0 Mobile/15E148 Safari/604.1`,
    5,
  ],
  ['ios', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.5 Safari/605.1.15`, 5],
  ['safari', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.5 Safari/605.1.15`, 0],
  ['chrome', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${blink} Chrome/138.0.0.0 Safari/537.36`, 0],
  [
    'chrome',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`,
    10,
  ],
  ['chromeAndroid', `Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/138.0.0.0 Mobile Safari/537.36`, 5],
  ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0],
  ['firefoxAndroid', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 5],
])('%s is recognised by %s', (kind, userAgent, maxTouchPoints) => {
  expect(browserKindOf({ userAgent, maxTouchPoints })).toBe(kind)
})

import { expect, test } from 'vitest'
import { visitorIn } from '#server/features/sessions/access/visitor.ts'

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webKit} Version/17.5 Mobile/15E148 Safari/604.1`,
    'phone',
    'safari',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webKit} CriOS/128.0 Mobile/15E148 Safari/604.1`,
    'phone',
    'safari',
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) ${webKit} Version/12.1 Mobile/15E148 Safari/604.1`,
    'tablet',
    'safari',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/17.5 Safari/605.1.15`,
    'desk',
    'safari',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/128.0.0.0 Mobile Safari/537.36`, 'phone', 'chromium'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/128.0.0.0 Safari/537.36`, 'tablet', 'chromium'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${blink} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`,
    'phone',
    'samsung',
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:129.0) Gecko/129.0 Firefox/129.0', 'phone', 'firefox'],
  ['Mozilla/5.0 (Android 14; Tablet; rv:129.0) Gecko/129.0 Firefox/129.0', 'tablet', 'firefox'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:129.0) Gecko/20100101 Firefox/129.0', 'desk', 'firefox'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/128.0.0.0 Safari/537.36 Edg/128.0`,
    'desk',
    'chromium',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/128.0.0.0 Safari/537.36`, 'desk', 'chromium'],
  ['Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Something/1.0', 'desk', 'other'],
])('%s', (userAgent, device, browser) => {
  expect(visitorIn({ userAgent })).toEqual({ visitor: { device, browser } })
})

test.each(['node', 'curl/8.5.0', 'Mozilla/5.0', 'Java/21 Mobile'])(
  "%s is not a person's browser",
  (userAgent) => {
    expect(visitorIn({ userAgent })).toEqual({})
  },
)

test('a missing user agent is unknown', () => {
  expect(visitorIn({})).toEqual({})
})

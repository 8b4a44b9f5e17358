import { expect, test } from 'vitest'
import { belongsOnHomeScreen } from '#web/kiosk/core/home-screen.ts'

const iPad =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const tablet =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36'

test.each([
  ['an iPad in Safari', iPad, 5, undefined, false, true],
  ['an iPhone in Safari', iPhone, 5, false, false, true],
  ['an iPad whose page stands on the Home Screen', iPad, 5, true, true, false],
  ['the same, where only one of the two is told', iPad, 5, undefined, true, false],
  ['a Mac', iPad, 0, undefined, false, false],
  ['an Android tablet', tablet, 5, undefined, false, false],
])('%s', (_name, userAgent, maxTouchPoints, standalone, matches, expected) => {
  const navigator = { userAgent, maxTouchPoints, standalone }
  expect(belongsOnHomeScreen({ navigator, matchMedia: () => ({ matches }) })).toBe(expected)
})

import type { Page } from '@playwright/test'
import { expect, test } from './support/fixture.ts'
import { long, some } from './support/length.ts'

/** The name of each animation in the page's drawings, and its duration in milliseconds. */
function movements(page: Page): Promise<[string, number][]> {
  return page.evaluate(() =>
    document.getAnimations().map((animation) => {
      const { animationName } = animation as CSSAnimation
      return [animationName, Number(animation.effect!.getComputedTiming().endTime)] as [string, number]
    }),
  )
}

const actions = {
  turnLeft: 'aside',
  turnRight: 'aside',
  lookUp: 'upwards',
  blink: 'there',
  smile: 'there',
  comeCloser: 'nearer',
} as const

test(
  'each action is drawn in motion, and as two stills with reduced motion',
  long,
  async ({ page, preview }) => {
    for (const [action, movement] of Object.entries(actions)) {
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await preview.open(page, `action-${action}`)
      expect(
        (await movements(page)).map(([name]) => name),
        action,
      ).toContain(movement)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      expect(await movements(page), action).toEqual([])
      await expect(page.locator('.pictogram .stills')).toBeVisible()
    }
  },
)

test('the drawn head turns to the side that is asked for', async ({ page, preview }) => {
  for (const [action, turn] of [
    ['turnLeft', '-15px'],
    ['turnRight', '15px'],
  ] as const) {
    await preview.open(page, `action-${action}`)
    const drawing = page.locator('.pictogram')
    const seen = await drawing.evaluate((element) => getComputedStyle(element).getPropertyValue('--turn'))
    expect(seen.trim(), action).toBe(turn)
  }
})

test(
  'the head on the ready screen performs the possible actions once, within five seconds',
  long,
  async ({ page, preview }) => {
    await preview.open(page, 'ready')
    const all = await movements(page)
    expect(all.map(([name]) => name)).toEqual(expect.arrayContaining(['arrive', 'look-around', 'smiling']))
    expect(Math.max(...all.map(([, milliseconds]) => milliseconds))).toBeLessThanOrEqual(5000)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await movements(page)).toEqual([])
    await expect(page.locator('.preparation .turns')).toBeVisible()
  },
)

test('desktops and phones get suitable advice', long, async ({ browser, page, preview }) => {
  await preview.open(page, 'ready')
  await expect(page.getByText('Camera at eye level')).toBeVisible()
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  })
  const phone = await context.newPage()
  await preview.open(phone, 'ready')
  await expect(phone.getByText('Phone at eye level')).toBeVisible()
  await context.close()
})

test('an arrow at the rim points to the requested side of the screen, and only for a direction', async ({
  page,
  preview,
}) => {
  for (const [action, side] of [
    ['turnLeft', 'left'],
    ['turnRight', 'right'],
    ['lookUp', 'top'],
  ] as const) {
    await preview.open(page, `action-${action}`)
    await expect(page.locator(`.stage-arrow.to-${side}`), action).toBeVisible()
  }
  await preview.open(page, 'action-smile')
  await expect(page.locator('.stage-arrow')).toHaveCount(0)
})

test('the ring is filled by the measured share, from the requested side, and closes when the step counts', async ({
  page,
  preview,
}) => {
  const filled = () =>
    page.locator('.ring-now').evaluateAll((halves) =>
      (halves as SVGPathElement[]).map((half) => ({
        share: 1 - Number(half.getAttribute('stroke-dashoffset')) / 100,
        startsAt: half.getPointAtLength(0).x,
      })),
    )
  await preview.open(page, 'action-turnLeft', 'en', '&progress=.25')
  const [left, alsoLeft] = await filled()
  expect([left?.share, alsoLeft?.share]).toEqual([0.25, 0.25])
  await preview.open(page, 'action-turnRight', 'en', '&progress=.25')
  const [right] = await filled()
  expect(right!.startsAt).toBeGreaterThan(left!.startsAt + 150)
  await preview.open(page, 'done-action')
  await expect(page.locator('.ring-full')).toBeVisible()
  await expect(page.locator('.ring-now')).toHaveCount(0)
})

/** The different places where browsers let a person unblock the camera. */
const blocks = [
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'remove the block'],
  ['iOS', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1', 'Website Settings'],
  ['Android', 'Mozilla/5.0 (Linux; Android 10; K) Chrome/138.0.0.0 Mobile Safari/537.36', 'Permissions'],
  ['Chrome', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/138.0.0.0 Safari/537.36', 'icon next to the address'],
] as const

for (const [name, userAgent, words] of some(blocks))
  test(`allowing a blocked camera is illustrated and explained for ${name}`, async ({ browser, preview }) => {
    const context = await browser.newContext({ userAgent })
    const page = await context.newPage()
    await preview.open(page, 'camera-blocked')
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.locator('.address-bar')).toBeVisible()
    await context.close()
  })

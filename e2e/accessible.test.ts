import type { Page } from '@playwright/test'
import { faultsOf } from './support/accessibility.ts'
import { expect, test } from './support/fixture.ts'
import { overflowsOf } from './support/overflow.ts'
import { type Preview, startPreview } from './support/preview.ts'
import { flashesOf, focusFaultsOf, heardOn, smallTargetsOf, watchVoices } from './support/usability.ts'

/** Every screen that the page has: the preview lists them, and a new state is not compiled without one. */
let preview: Preview
test.beforeAll(async ({ browser }) => {
  preview = await startPreview(browser)
})
test.afterAll(() => preview.stop())

type Look = Parameters<Page['emulateMedia']>[0] & { readonly width?: number; readonly height?: number }

/** What is wrong with any screen, each fault after the screen's name. */
async function faultsOnAll(
  page: Page,
  look: Look,
  inspect: (page: Page) => Promise<readonly string[]>,
  locale = 'en',
): Promise<string[]> {
  const { width = 390, height = 844, ...media } = look
  await page.setViewportSize({ width, height })
  await page.emulateMedia(media)
  const faults: string[] = []
  for (const screen of preview.screens) {
    await preview.open(page, screen, locale)
    faults.push(...(await inspect(page)).map((fault) => `${screen}: ${fault}`))
  }
  return faults
}

test.describe.configure({ timeout: 600_000 })

for (const locale of ['en', 'ar'])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`axe finds nothing on any screen, ${colorScheme}, in ${locale}`, async ({ page }) => {
      expect(await faultsOnAll(page, { colorScheme }, faultsOf, locale)).toEqual([])
    })

for (const [name, look] of Object.entries({
  '320 pixels': { width: 320, height: 640 },
  'twice the size on a desk': { width: 640, height: 400 },
  'four times the size on a desk': { width: 320, height: 256 },
}))
  test(`nothing is lost at ${name}, with the longest words`, async ({ page }) => {
    expect(await faultsOnAll(page, look, overflowsOf, 'de')).toEqual([])
  })

test('the focus begins at the heading, is seen wherever it goes, and every target can be hit', async ({
  page,
}) => {
  const inspect = async () => [...(await focusFaultsOf(page)), ...(await smallTargetsOf(page))]
  expect(await faultsOnAll(page, {}, inspect)).toEqual([])
})

test('in forced colours every control has a border, and axe finds nothing', async ({ page }) => {
  const inspect = async () => [
    ...(await faultsOf(page)),
    ...(await page
      .locator('.button')
      .evaluateAll((buttons) =>
        buttons
          .filter((button) => getComputedStyle(button).borderTopWidth === '0px')
          .map(({ textContent }) => `no border: ${textContent}`),
      )),
  ]
  expect(await faultsOnAll(page, { forcedColors: 'active' }, inspect)).toEqual([])
})

test('nothing moves where motion is not wanted', async ({ page }) => {
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => `moves: ${(effect as KeyframeEffect).target?.className}`),
    )
  expect(await faultsOnAll(page, { reducedMotion: 'reduce' }, moving)).toEqual([])
})

test('nothing flashes', async ({ page }) => {
  expect(await faultsOnAll(page, {}, flashesOf)).toEqual([])
})

test('every screen is heard, once', async ({ page }) => {
  await watchVoices(page)
  const inspect = async () => {
    const heard = await heardOn(page)
    return heard.length === 1 ? [] : [`heard ${heard.length} times: ${heard.join(' / ')}`]
  }
  expect(await faultsOnAll(page, {}, inspect)).toEqual([])
})

test('what the ring shows is told by shape, not by colour alone', async ({ page }) => {
  await preview.open(page, 'action-smile')
  const widthOf = (part: string) =>
    page
      .locator(`.ring-${part}`)
      .first()
      .evaluate((path) => Number.parseFloat(getComputedStyle(path).strokeWidth))
  expect(await widthOf('now')).toBeLessThan((await widthOf('full')) * 0.6)
  expect(await widthOf('hollow')).toBeLessThan(await widthOf('edge'))
  await expect(page.locator('.ring-tick')).toHaveCount(await page.locator('.ring-full').count())
})

for (const ground of ['light', 'dark'] as const)
  test(`a logo for ${ground} ground has one in both themes, and the account's name for those who do not see it`, async ({
    page,
  }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await preview.open(page, 'consent', 'en', `&logo=${ground}`)
      await expect(page.getByRole('img', { name: 'Northwind' })).toBeVisible()
      const plate = await page
        .locator('.plate')
        .evaluate((element) => getComputedStyle(element).backgroundColor)
      expect(plate === 'rgba(0, 0, 0, 0)', `no plate on ${colorScheme}`).toBe(ground === colorScheme)
      expect(await faultsOf(page)).toEqual([])
    }
  })

test('the verdicts differ in their drawing and in their words', async ({ page }) => {
  const shapeOf = async (screen: string) => {
    await preview.open(page, screen)
    return [await page.locator('.emblem svg').innerHTML(), await page.locator('h1').innerText()]
  }
  const [passed, not] = [await shapeOf('passed'), await shapeOf('not-completed')]
  expect(passed[0]).not.toBe(not[0])
  expect(passed[1]).not.toBe(not[1])
})

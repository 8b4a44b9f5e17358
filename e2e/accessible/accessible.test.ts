import type { Page } from '@playwright/test'
import { bringAxe, colourFaultsOf, faultsOf } from '../support/accessibility.ts'
import { flashesOf, focusFaultsOf, heardOn, smallTargetsOf, watchVoices } from '../support/acted/usability.ts'
import { expect, test } from '../support/fixture.ts'
import { isLong, long, some } from '../support/length.ts'
import { overflowsOf } from '../support/overflow.ts'

interface Look {
  readonly width?: number
  readonly height?: number
  readonly media?: Parameters<Page['emulateMedia']>[0]
}

/** A requirement that applies to every screen. `inspect` returns the faults it finds. */
interface Rule {
  readonly name: string
  readonly look?: Look
  inspect(page: Page): Promise<readonly string[]>
}

const plain = { colorScheme: 'light', forcedColors: 'none', reducedMotion: 'no-preference' } as const
const themes = ['light', 'dark'] as const

/** The long form checks all axe rules in every variant. The short form checks them all once, and then only the colour rules. */
const faultsAnew = isLong ? faultsOf : colourFaultsOf

const axeRules: readonly Rule[] = themes.map((colorScheme) => ({
  name: `axe finds no faults, ${colorScheme}`,
  look: { media: { colorScheme } },
  inspect: colorScheme === 'light' ? faultsOf : faultsAnew,
}))

/**
 * [Note: One look after the other] Each screen is opened in English, redrawn in the other languages, and inspected without reloading it.
 * Checks that depend on how the screen loads come first (motion), or are not affected by earlier ones (focus).
 */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  en: [
    { name: 'nothing flashes', inspect: flashesOf },
    ...axeRules,
    {
      name: 'in forced colours every control has a border, and axe finds no faults',
      look: { media: { forcedColors: 'active' } },
      inspect: async (page) => [...(await borderlessOn(page)), ...(await faultsAnew(page))],
    },
    {
      name: 'the focus starts at the heading and is always visible',
      inspect: focusFaultsOf,
    },
    { name: 'every target is large enough', inspect: smallTargetsOf },
    { name: 'was heard, once', inspect: silenceOf },
  ],
  ar: some(axeRules),
  de: [
    {
      name: 'nothing moves with reduced motion',
      look: { media: { reducedMotion: 'reduce' } },
      inspect: movementsOn,
    },
    ...(
      [
        ['at 320 pixels', 320, 640],
        ['at 400 % on a desktop', 320, 256],
        ['at 200 % on a desktop', 640, 400],
      ] as const
    ).map(
      ([where, width, height]): Rule => ({
        name: `nothing is clipped ${where}, even with the longest texts`,
        look: { width, height },
        inspect: overflowsOf,
      }),
    ),
  ],
}

async function show(page: Page, { width = 390, height = 844, media }: Look = {}): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ ...plain, ...media })
}

async function silenceOf(page: Page): Promise<string[]> {
  const heard = await heardOn(page)
  return heard.length === 1 ? [] : [`heard ${heard.length} times: ${heard.join(' / ')}`]
}

function borderlessOn(page: Page): Promise<string[]> {
  return page
    .locator('.button')
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => getComputedStyle(button).borderTopWidth === '0px')
        .map(({ textContent }) => `no border: ${textContent}`),
    )
}

function movementsOn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => `moves: ${(effect as KeyframeEffect).target?.className}`),
  )
}

/** The preview lists every screen, and a new state does not compile without one. The short form takes every sixth screen. */
const parts = 12
for (let part = 0; part < parts; part++)
  test(
    `every screen keeps every rule, part ${part + 1} of ${parts}`,
    part % 6 === 0 ? {} : long,
    async ({ page, preview }) => {
      const screens = preview.screens.filter((_, index) => index % parts === part)
      await watchVoices(page)
      await bringAxe(page)
      for (const screen of screens)
        for (const [locale, asked] of Object.entries(rules)) {
          await show(page, asked[0]!.look)
          await (locale === 'en' ? preview.open(page, screen, locale) : preview.again(page, locale))
          for (const { name, look, inspect } of asked) {
            await show(page, look)
            expect.soft(await inspect(page), `${screen}, ${locale}: ${name}`).toEqual([])
          }
        }
    },
  )

test('the ring shows its state by shape, not only by colour', async ({ page, preview }) => {
  const widthOf = (part: string) =>
    page
      .locator(`.ring-${part}`)
      .first()
      .evaluate((path) => Number.parseFloat(getComputedStyle(path).strokeWidth))
  await preview.open(page, 'action-smile')
  expect(await widthOf('todo')).toBeLessThan((await widthOf('now')) * 0.6)
  await expect(page.locator('.ring-tick')).toHaveCount(0)
  await preview.open(page, 'done-action')
  await expect(page.locator('.ring-tick')).toHaveCount(1)
})

for (const ground of ['light', 'dark'] as const)
  test(`a logo for ${ground} backgrounds has one in both themes, and the account's name as text alternative`, async ({
    page,
    preview,
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

test('the verdicts differ in drawing and text', async ({ page, preview }) => {
  const shapeOf = async (screen: string) => {
    await preview.open(page, screen)
    return [await page.locator('.emblem .icon').innerHTML(), await page.locator('h1').innerText()]
  }
  const [passed, not] = [await shapeOf('passed'), await shapeOf('not-completed')]
  expect(passed[0]).not.toBe(not[0])
  expect(passed[1]).not.toBe(not[1])
})

import type { Page } from '@playwright/test'
import { expect, test } from './support/fixture.ts'
import { long, some } from './support/length.ts'

const filmed = /^(align|hold|done|action|retake|closing|paused)/
const sizes = [
  [390, 844],
  [768, 1024],
  [1280, 800],
  [844, 390],
  [320, 568],
  [360, 640],
  [568, 320],
] as const

/** The position of the person's picture, and of the two lines of the instruction, in pixels. */
interface Standing {
  readonly picture: string
  readonly instruction: string
}

function standingOn(page: Page): Promise<Standing> {
  return page.evaluate(() => {
    const find = (selector: string) => document.querySelector(selector)!
    const { x, y, width, height } = find('.stage-window').getBoundingClientRect()
    const [heading, line] = [find('h1'), find('.hint-line')]
    const sizeOf = (element: Element) => getComputedStyle(element).fontSize
    return {
      picture: [x, y, width, height].map(Math.round).join(' '),
      instruction: [
        `heading ${sizeOf(heading)} to ${Math.round(heading.getBoundingClientRect().bottom)}`,
        `line ${sizeOf(line)} from ${Math.round(line.getBoundingClientRect().top)}`,
      ].join(', '),
    }
  })
}

/** The language with the longest words comes first, because the short form tries only that one. */
for (const locale of some(['de', 'en', 'ar']))
  test(
    `the picture and the instruction have one place and one size in every state, at every size, in ${locale}`,
    long,
    async ({ page, preview }) => {
      const standings = new Map(sizes.map((size) => [size, new Map<string, Standing>()] as const))
      for (const screen of preview.screens.filter((name) => filmed.test(name))) {
        await preview.open(page, screen, locale)
        for (const [[width, height], screens] of standings) {
          await page.setViewportSize({ width, height })
          screens.set(screen, await standingOn(page))
        }
      }
      for (const [[width, height], screens] of standings) {
        const at = `at ${width} x ${height}`
        for (const of of ['picture', 'instruction'] as const) {
          const places = new Set([...screens.values()].map((standing) => standing[of]))
          expect.soft([...places], `${at}: ${JSON.stringify([...screens])}`).toHaveLength(1)
        }
      }
    },
  )

/** A share of the screen's width, or of the column next to the text. The test banner's row is taken from the picture. */
const leastWidths = [
  [320, 568, 320, 264],
  [360, 640, 360, 340],
  [375, 667, 375, 360],
  [390, 664, 390, 355],
  [568, 320, 215, 205],
] as const

for (const locale of some(['de', 'ja', 'ar', 'en']))
  test(`the picture fills a small screen, and the whole ring is visible, in ${locale}`, async ({
    page,
    preview,
  }) => {
    for (const screen of ['align-hint', 'action-hint', 'test-align'])
      for (const [width, height, least, leastInTest] of leastWidths) {
        await page.setViewportSize({ width, height })
        await preview.open(page, screen, locale)
        const at = `${screen} at ${width} x ${height}`
        const { picture, ring, banner, hint, needed } = await boxesOn(page)
        expect.soft(picture.width, at).toBeGreaterThanOrEqual(screen === 'test-align' ? leastInTest : least)
        expect.soft(ring.top, at).toBeGreaterThanOrEqual(Math.floor(picture.top))
        expect.soft(ring.bottom, at).toBeLessThanOrEqual(Math.ceil(picture.bottom))
        expect.soft(needed, `${at}: no text is below the screen`).toBeLessThanOrEqual(height)
        expect.soft(banner?.height ?? 0, `${at}: one row`).toBeLessThanOrEqual(50)
        expect
          .soft(hint?.bottom ?? 0, `${at}: the hint has enough space`)
          .toBeLessThanOrEqual(hint?.room ?? 0)
      }
  })

function boxesOn(page: Page) {
  return page.evaluate(() => {
    const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
    const { width, top, bottom } = boxOf('.stage-window')!
    const ring = boxOf('.ring-casing')!
    const [hint, line] = [boxOf('.hint'), boxOf('.hint-line')]
    return {
      picture: { width, top, bottom },
      ring: { top: ring.top, bottom: ring.bottom },
      banner: boxOf('.banner')?.toJSON() as { readonly height: number } | undefined,
      hint: hint && line && { bottom: Math.floor(hint.bottom), room: Math.ceil(line.bottom) },
      needed: document.documentElement.scrollHeight,
    }
  })
}

test('text before the consent is never below its buttons', long, async ({ page, preview }) => {
  for (const [width, height] of [
    [320, 568],
    [360, 640],
    [568, 320],
  ] as const)
    for (const locale of ['en', 'de', 'ar']) {
      await page.setViewportSize({ width, height })
      await preview.open(page, 'consent-configured', locale)
      await page.locator('summary').click()
      // On low screens, the text scrolls behind the buttons until its end.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      const { words, buttons, end } = await page.evaluate(() => {
        const bottomOf = (selector: string) =>
          Math.max(
            ...Array.from(document.querySelectorAll(selector), (one) => one.getBoundingClientRect().bottom),
          )
        return {
          words: bottomOf('.page-body *') + scrollY,
          buttons: document.querySelector('.actions')!.getBoundingClientRect().top + scrollY,
          end: document.documentElement.scrollHeight - bottomOf('.actions *') - scrollY,
        }
      })
      const at = `${locale} at ${width} x ${height}`
      expect.soft(words, at).toBeLessThanOrEqual(Math.ceil(buttons))
      expect.soft(end, at).toBeGreaterThanOrEqual(0)
    }
})

interface Words {
  readonly action: Readonly<Record<string, string>>
  readonly hint: Readonly<Record<string, string>>
}

/** Loaded by name, because its types would pull the whole page into the test project. */
async function wordsOf(locale: string): Promise<Words> {
  const module = (await import(`#web/wording/${locale}.ts`)) as Record<string, Words>
  return module[locale]!
}

/** Tries all actions and hints, and returns the ones that need more than the two lines that each of them has. */
async function tooLong(page: Page, { action, hint }: Words): Promise<string[]> {
  const spoken = { actions: Object.values(action), hints: Object.values(hint) }
  return page.evaluate(({ actions, hints }) => {
    const [title, line] = ['.words .title', '.words .hint'].map((place) => document.querySelector(place)!)
    const rooms = getComputedStyle(document.querySelector('.words')!).gridTemplateRows.split(' ')
    const fits = (element: Element, row: number) =>
      element.getBoundingClientRect().height <= Number.parseFloat(rooms[row]!) + 1
    return [
      ...actions.filter((text) => {
        title!.textContent = text
        return !fits(title!, 0)
      }),
      ...hints.filter((text) => {
        line!.lastChild!.textContent = text
        return !fits(line!, 1)
      }),
    ]
  }, spoken)
}

const narrow = [
  [320, 568],
  [390, 844],
  [360, 640],
  [360, 560],
  [568, 320],
] as const

for (const [width, height] of some(narrow))
  for (const reducedMotion of some(['no-preference', 'reduce'] as const))
    test(`the longest texts fit at ${width} x ${height}, motion: ${reducedMotion}`, async ({
      page,
      preview,
    }) => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ reducedMotion })
      for (const locale of ['de', 'pl', 'nl', 'fr', 'hi']) {
        await preview.open(page, 'action-hint', locale)
        expect(await tooLong(page, await wordsOf(locale)), locale).toEqual([])
      }
    })

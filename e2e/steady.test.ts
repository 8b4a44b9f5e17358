import type { Page } from '@playwright/test'
import { expect, test } from './support/fixture.ts'
import { type Preview, startPreview } from './support/preview.ts'

let preview: Preview
test.beforeAll(async ({ browser }) => {
  preview = await startPreview(browser)
})
test.afterAll(() => preview.stop())

const filmed = /^(align|hold|done|action|retake|closing|paused)/

/** Where the person's picture stands on each screen that shows it: place, then the screens there. */
async function placesOf(page: Page, locale: string): Promise<Map<string, string[]>> {
  const places = new Map<string, string[]>()
  for (const screen of preview.screens.filter((name) => filmed.test(name))) {
    await preview.open(page, screen, locale)
    const place = await page.locator('.stage-window').evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [x, y, width, height].map(Math.round).join(' ')
    })
    places.set(place, [...(places.get(place) ?? []), screen])
  }
  return places
}

/** How far down the heading of a screen stands, in pixels. */
async function titleOn(page: Page, screen: string, locale: string): Promise<number> {
  await preview.open(page, screen, locale)
  return page.locator('h1').evaluate((heading) => Math.round(heading.getBoundingClientRect().top))
}

for (const [width, height] of [
  [390, 844],
  [768, 1024],
  [1280, 800],
  [844, 390],
] as const)
  for (const locale of ['en', 'de', 'ar'])
    test(`picture and heading stand still whatever hint comes, at ${width} x ${height}, in ${locale}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height })
      const places = await placesOf(page, locale)
      expect([...places.keys()], JSON.stringify([...places])).toHaveLength(1)
      expect(await titleOn(page, 'align-hint', locale)).toBe(await titleOn(page, 'align', locale))
      expect(await titleOn(page, 'action-hint', locale)).toBe(await titleOn(page, 'action-turnRight', locale))
    })

interface Words {
  readonly action: Readonly<Record<string, string>>
  readonly hint: Readonly<Record<string, string>> & { readonly again: string }
}

/** Loaded by its name: the types of the page would bring the whole of it into the project of the tests. */
async function wordsOf(locale: string): Promise<Words> {
  const module = (await import(`#web/wording/${locale}.ts`)) as Record<string, Words>
  return module[locale]!
}

/** Every action with every aside and every hint that may stand with it: those that move the picture. */
async function movingWords(page: Page, { action, hint }: Words): Promise<string[]> {
  const spoken = { actions: Object.values(action), hints: Object.values(hint), again: hint.again }
  return page.evaluate(({ actions, hints, again }) => {
    const [title, count, line] = ['.ask .title', '.ask .count', '.ask .hint'].map(
      (place) => document.querySelector(place)!,
    )
    const stage = document.querySelector('.stage-window')!
    const before = stage.getBoundingClientRect().top
    count!.textContent = again
    return actions.flatMap((words) => {
      title!.textContent = words
      return hints.filter((text) => {
        line!.lastChild!.textContent = text
        return stage.getBoundingClientRect().top !== before
      })
    })
  }, spoken)
}

for (const [width, height] of [
  [390, 844],
  [360, 640],
  [320, 568],
] as const)
  for (const reducedMotion of ['no-preference', 'reduce'] as const)
    test(`the longest words have their place at ${width} x ${height}, motion: ${reducedMotion}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ reducedMotion })
      for (const locale of ['de', 'pl', 'hi']) {
        await preview.open(page, 'action-hint', locale)
        expect(await movingWords(page, await wordsOf(locale)), locale).toEqual([])
      }
    })

import type { Page } from '@playwright/test'
import { expect, test } from './support/fixture.ts'
import { isLong, some } from './support/length.ts'

/** A tablet, two desktops, and a usual and the smallest phone. */
const windows = [
  [320, 568],
  [1024, 768],
  [390, 844],
  [1280, 800],
  [1440, 900],
] as const

/** What a person is meant to press next: the main button, or the two equal answers of the consent. */
const main = 'main :is(.button.primary, .equal > .button)'

/** The main buttons that are cut off or below the window, before anything is scrolled. */
function outsideOn(page: Page): Promise<string[]> {
  return page.locator(main).evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const { top, bottom, left, right } = button.getBoundingClientRect()
        return top < 0 || left < 0 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5
      })
      .map((button) => `${button.textContent}: ${Math.round(button.getBoundingClientRect().bottom)}`),
  )
}

/** The language with the longest words comes first, because the short form tries only that one. */
for (const locale of some(['de', 'ar', 'en']))
  test(`the main button of every state is in the first window, in ${locale}`, async ({
    browser,
    preview,
  }) => {
    for (const [width, height] of isLong ? windows : windows.slice(0, 2)) {
      const hasTouch = width < 800
      const context = await browser.newContext({ viewport: { width, height }, hasTouch, isMobile: hasTouch })
      const page = await context.newPage()
      for (const screen of preview.screens) {
        await preview.open(page, screen, locale)
        expect.soft(await outsideOn(page), `${screen} at ${width} x ${height}`).toEqual([])
      }
      await context.close()
    }
  })

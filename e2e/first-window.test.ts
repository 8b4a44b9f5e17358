import type { Page } from '@playwright/test'
import { expect, test } from './support/fixture.ts'
import { some } from './support/length.ts'

interface Device {
  readonly hasTouch: boolean
  readonly windows: readonly (readonly [width: number, height: number])[]
}

/** The smallest and a usual phone; a kiosk's panel and two desktops. */
const devices: readonly Device[] = [
  {
    hasTouch: true,
    windows: [
      [320, 568],
      [390, 844],
    ],
  },
  {
    hasTouch: false,
    windows: [
      [1024, 768],
      [1280, 800],
      [1440, 900],
    ],
  },
]

/** The next button to press: the main one, or the two equal answers of the consent. */
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
  for (const { hasTouch, windows } of devices)
    test(`the main button of every state is in the first window, touch: ${hasTouch}, in ${locale}`, async ({
      browser,
      preview,
    }) => {
      const context = await browser.newContext({ hasTouch, isMobile: hasTouch })
      const page = await context.newPage()
      for (const screen of preview.screens) {
        await page.setViewportSize({ width: windows[0]![0], height: windows[0]![1] })
        await preview.open(page, screen, locale)
        for (const [width, height] of windows) {
          await page.setViewportSize({ width, height })
          expect.soft(await outsideOn(page), `${screen} at ${width} x ${height}`).toEqual([])
        }
      }
      await context.close()
    })

import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

const filmed = /^(align|hold|action|closing|paused)/

test(
  'at 320 x 256, like a desktop at 400 %, the picture is visible next to the text and nothing overflows',
  long,
  async ({ page, preview }) => {
    await page.setViewportSize({ width: 320, height: 256 })
    for (const screen of preview.screens.filter((name) => filmed.test(name)))
      for (const locale of ['en', 'de']) {
        await preview.open(page, screen, locale)
        const where = `${screen}, ${locale}`
        await expect(page.locator('.stage-window'), where).toBeInViewport({ ratio: 1 })
        await expect(page.locator('h1'), where).toBeInViewport({ ratio: 1 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(
          320,
        )
      }
  },
)

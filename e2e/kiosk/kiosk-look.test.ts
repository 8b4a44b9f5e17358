import { expect, test } from '../support/fixture.ts'
import { type Preview, startPreview } from '../support/preview.ts'

let preview: Preview
test.beforeAll(async ({ browser }) => {
  preview = await startPreview(browser)
})
test.afterAll(() => preview.stop())

test('a low screen shows the start button and every language without scrolling', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 360 })
  for (const locale of ['en', 'de', 'hi', 'ar']) {
    await preview.open(page, 'kiosk-attract', locale)
    const buttons = page.locator('main button')
    expect(await buttons.count()).toBe(13)
    for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 })
  }
})

test('the queue says that the server can’t be reached', async ({ page }) => {
  await preview.open(page, 'kiosk-queue')
  await expect(page.getByText('The server can’t be reached. Check the connection.')).toBeVisible()
})

import { expect, test } from '../support/fixture.ts'

test('a low screen shows the start button and every language without scrolling', async ({
  page,
  preview,
}) => {
  await page.setViewportSize({ width: 640, height: 360 })
  for (const locale of ['en', 'de', 'hi', 'ar']) {
    await preview.open(page, 'kiosk-attract', locale)
    const buttons = page.locator('main button')
    expect(await buttons.count()).toBe(13)
    for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 })
  }
})

test('the queue says that the server can’t be reached', async ({ page, preview }) => {
  await preview.open(page, 'kiosk-queue')
  await expect(page.getByText('The server can’t be reached. Check the connection.')).toBeVisible()
})

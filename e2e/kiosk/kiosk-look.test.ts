import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

test('a low screen shows the start button and all languages without scrolling', async ({ page, preview }) => {
  await page.setViewportSize({ width: 640, height: 360 })
  for (const locale of ['en', 'de', 'hi', 'ar']) {
    await preview.open(page, 'kiosk-attract', locale)
    const buttons = page.locator('main button')
    expect(await buttons.count()).toBe(13)
    for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 })
  }
})

test('the queue reports that the server cannot be reached', async ({ page, preview }) => {
  await preview.open(page, 'kiosk-queue')
  await expect(page.getByText('The server can’t be reached. Check the connection.')).toBeVisible()
})

for (const [name, width, height] of [
  ['a tablet in landscape', 1024, 768],
  ['a small tablet in landscape', 960, 600],
  ['a stand', 1080, 1920],
] as const) {
  test(`${name} shows fields, keys and the button without scrolling`, long, async ({ page, preview }) => {
    await page.setViewportSize({ width, height })
    for (const screen of ['pairing', 'pairing-wrong', 'new-pin', 'new-pin-differs', 'pin', 'pin-wait']) {
      await preview.open(page, `kiosk-${screen}`, 'de')
      const controls = page.locator('main :is(input, button)')
      expect(await controls.count()).toBeGreaterThan(10)
      for (const control of await controls.all()) await expect(control).toBeInViewport({ ratio: 1 })
    }
  })
}

test(
  'a screen with longer sides has larger text, because it is read from further away',
  long,
  async ({ page, preview }) => {
    const heightOn = async (width: number, height: number) => {
      await page.setViewportSize({ width, height })
      await preview.open(page, 'kiosk-attract')
      const { height: tall } = (await page.getByRole('button', { name: 'Start' }).boundingBox())!
      return tall
    }
    expect(await heightOn(1080, 1920)).toBeGreaterThan(1.3 * (await heightOn(768, 1024)))
  },
)

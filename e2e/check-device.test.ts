import type { Page } from '@playwright/test'
import { expect, test } from './support/fixture.ts'

/** What the page would give away; read from the field that is copied. */
async function reportOf(page: Page) {
  await expect(page.getByRole('heading', { name: 'What this device can do' })).toBeVisible({
    timeout: 120_000,
  })
  return JSON.parse(await page.locator('textarea').inputValue())
}

test('a device is measured with its camera, and the report has no name and no picture of it', async ({
  site,
  page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
  await page.goto(`${site.product.address}/check-device`)
  await page.getByRole('button', { name: 'Measure with the camera' }).click()
  const report = await reportOf(page)
  expect(report).toMatchObject({
    version: 1,
    insideApp: null,
    camera: { problem: null },
    speed: { picture: 'camera' },
  })
  expect(Object.values(report.needs)).toEqual([true, true, true, true, true])
  expect(report.camera.width).toBeGreaterThan(100)
  expect(report.speed.medianPerPicture).toBeGreaterThan(0)
  expect(report.speed.firstAnalysis).toBeGreaterThan(report.speed.medianPerPicture)
  expect(JSON.stringify(report)).not.toMatch(/fake_device|label|deviceId|data:image/)
  expect(sent).toEqual([])
  const isOn = () =>
    page.evaluate(() => [...document.querySelectorAll('video')].some(({ srcObject }) => srcObject !== null))
  expect(await isOn()).toBe(false)
})

test('without a camera it looks at a drawn picture', async ({ site, page }) => {
  await page.addInitScript(
    `MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'))`,
  )
  await page.goto(`${site.product.address}/check-device`)
  await page.getByRole('button', { name: 'Measure with the camera' }).click()
  expect(await reportOf(page)).toMatchObject({ camera: { problem: 'noCamera' }, speed: { picture: 'drawn' } })
})

test('a browser that is too old still gets its report', async ({ site, page }) => {
  await page.addInitScript('WebAssembly.validate = () => false')
  await page.goto(`${site.product.address}/check-device`)
  await page.getByRole('button', { name: 'Measure without it' }).click()
  expect(await reportOf(page)).toMatchObject({ needs: { simd: false }, speed: null, camera: null })
  await expect(page.getByText('no, it lacks simd')).toBeVisible()
})

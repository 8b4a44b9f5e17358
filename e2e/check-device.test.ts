import type { Page } from '@playwright/test'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'

/** A camera with a moving picture, and a name that must not appear in the report. */
function giveCamera(): void {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
  const brush = canvas.getContext('2d')!
  setInterval(() => {
    brush.fillStyle = `hsl(${performance.now() % 360} 50% 50%)`
    brush.fillRect(0, 0, 640, 480)
  }, 40)
  const device = { kind: 'videoinput', label: 'Anna’s camera', deviceId: 'anna-1', groupId: 'anna' }
  Object.assign(MediaDevices.prototype, {
    getUserMedia: async () => canvas.captureStream(25),
    enumerateDevices: async () => [device],
  })
}

/** The report, read from the field that people copy it from. */
async function reportOf(page: Page) {
  await expect(page.getByRole('heading', { name: 'What this device can do' })).toBeVisible({
    timeout: 120_000,
  })
  return JSON.parse(await page.locator('textarea').inputValue())
}

test('a device is measured with its camera, and the report contains neither its name nor a picture', async ({
  site,
  page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
  await page.addInitScript(giveCamera)
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
  expect(report.camera).toMatchObject({ cameras: 1, width: 640, height: 480 })
  expect(report.camera.measuredRate).toBeGreaterThan(5)
  expect(report.speed.medianPerPicture).toBeGreaterThan(0)
  expect(report.speed.firstAnalysis).toBeGreaterThan(report.speed.medianPerPicture)
  expect(JSON.stringify(report)).not.toMatch(/anna|label|deviceId|data:image/i)
  expect(sent).toEqual([])
  const isOn = () =>
    page.evaluate(() => [...document.querySelectorAll('video')].some(({ srcObject }) => srcObject !== null))
  expect(await isOn()).toBe(false)
})

test('without a camera a drawn picture is analysed', long, async ({ site, page }) => {
  await page.addInitScript(
    `MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'))`,
  )
  await page.goto(`${site.product.address}/check-device`)
  await page.getByRole('button', { name: 'Measure with the camera' }).click()
  expect(await reportOf(page)).toMatchObject({ camera: { problem: 'noCamera' }, speed: { picture: 'drawn' } })
})

test('a browser that is too old still gets a report', async ({ site, page }) => {
  await page.addInitScript('WebAssembly.validate = () => false')
  await page.goto(`${site.product.address}/check-device`)
  await page.getByRole('button', { name: 'Measure without it' }).click()
  expect(await reportOf(page)).toMatchObject({ needs: { simd: false }, speed: null, camera: null })
  await expect(page.getByText('no, it lacks simd')).toBeVisible()
})

test(
  'the page uses the language of the browser, and has a message for browsers without scripts',
  long,
  async ({ site, browser }) => {
    const address = `${site.product.address}/check-device`
    const context = await browser.newContext({ locale: 'ar' })
    const page = await context.newPage()
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'ما الذي يستطيعه هذا الجهاز؟' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await context.close()
    const silent = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 320, height: 568 },
    })
    const bare = await silent.newPage()
    await bare.goto(address)
    // Text selectors ignore a noscript element.
    const said = bare.locator('noscript p[lang="ja"]')
    await expect(said).toBeVisible()
    await expect(said).toContainText('このページにはJavaScriptが必要です')
    expect(await bare.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await silent.close()
  },
)

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { faultsOf } from './support/accessibility.ts'
import { enterConsole } from './support/console/console-visit.ts'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'

const path = 'tests/support/pictures/astronaut.png'
const picture = await readFile(path, 'base64')

/** Provides the picture the way a person would: by dropping it on part of the page, or by pasting it. */
async function give(page: Page, way: 'drop' | 'paste', on: string): Promise<void> {
  const data = await page.evaluateHandle((base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], 'astronaut.png', { type: 'image/png' }))
    return transfer
  }, picture)
  if (way === 'drop')
    await page.getByRole('region', { name: on }).dispatchEvent('drop', { dataTransfer: data })
  else {
    await page.evaluate((clipboardData) => {
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    }, data)
  }
}

/** A camera that shows the given picture. */
function cameraOf(base64: string): void {
  const image = Object.assign(new Image(), { src: `data:image/png;base64,${base64}` })
  const canvas = Object.assign(document.createElement('canvas'), { width: 512, height: 512 })
  setInterval(() => canvas.getContext('2d')!.drawImage(image, 0, 0, 512, 512), 40)
  Object.assign(MediaDevices.prototype, { getUserMedia: async () => canvas.captureStream(25) })
}

/** Expects all the results for a picture with one face. */
async function expectAnswers(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: 'Faces found: 1' })).toBeVisible()
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(part('Quality').getByText('Unified score')).toBeVisible()
  await expect(part('Quality').getByText('sharpness')).toBeVisible()
  await expect(part('Quality').getByText('Turned (yaw)')).toBeVisible()
  await expect(part('Age').getByText(/^\d+\.\d years, by appearance$/)).toBeVisible()
  await expect(part('Age').getByText(/^Uncertainty \d\.\d\d\./)).toBeVisible()
  await expect(part('Gender').getByText('Female, by appearance')).toBeVisible()
  await expect(part('Expression and attention').getByText('happy')).toBeVisible()
  await expect(part('Liveness').getByText(/^Looks/)).toBeVisible()
}

test('in the demo a picture is chosen with the keyboard and analysed, and nothing is stored', async ({
  site,
  page,
}) => {
  const { address } = site.product
  const asked: string[] = []
  page.on('request', (request) => request.method() === 'POST' && asked.push(new URL(request.url()).pathname))
  await page.goto(`${address}/demo`)
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByRole('radio', { name: 'One picture' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeFocused()
  const field = page.locator('input[type=file]')
  await field.evaluate((element) =>
    element.addEventListener('click', () => element.setAttribute('data-opened', '')),
  )
  await page.keyboard.press('Enter')
  await expect(field).toHaveAttribute('data-opened')
  await field.setInputFiles(path)
  await expectAnswers(page)
  expect(asked.sort()).toEqual([
    '/v1/demographic-estimation/get-age',
    '/v1/demographic-estimation/get-gender',
    '/v1/emotion-attention/detect',
    '/v1/face-verification/get-quality',
    '/v1/liveness-detection/detect',
  ])
  const quality = page.getByRole('region', { name: 'Quality', exact: true })
  await quality.getByText('The request').click()
  await expect(quality.getByRole('textbox', { name: 'curl' })).toHaveValue(
    /^curl -sS 'http.*\/v1\/face-verification\/get-quality'(.|\n)*\$SELFSAME_API_KEY(.|\n)*'astronaut.png'/,
  )
  await expect(quality.getByRole('textbox', { name: 'TypeScript' })).toHaveValue(
    /getQuality\(\{ image, maxFaceCount: 10 \}\)/,
  )
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await give(page, 'paste', '')
  await expectAnswers(page)
  await page.reload()
  await expect(page.getByText('Drop a picture here, or paste one.')).toBeVisible()
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
})

test(
  'two pictures, one dropped and one taken, are compared on a scale that explains itself',
  long,
  async ({ site, page }) => {
    await page.addInitScript(cameraOf, picture)
    await page.goto(`${site.product.address}/demo/playground`)
    await page.getByText('Two pictures').click()
    await give(page, 'drop', 'First picture')
    await page
      .getByRole('region', { name: 'Second picture' })
      .getByRole('button', { name: 'Take a picture' })
      .click()
    await expect(page.getByRole('button', { name: 'Take it' })).toBeFocused()
    await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0)
    await page.keyboard.press('Enter')
    const comparison = page.getByRole('region', { name: 'Comparison' })
    await expect(comparison.getByText(/^Similarity (9[5-9]|100)$/)).toBeVisible()
    await expect(comparison.locator('[aria-current]')).toHaveText(
      'From 95 on: at most one pair of strangers in 1,000,000 gets there. (extrapolated)',
    )
    expect(await page.evaluate(() => document.querySelector('video'))).toBeNull()
    await comparison.getByText('The request').click()
    await expect(comparison.getByRole('textbox', { name: 'curl' })).toHaveValue(
      /embed 'astronaut.png'; embed 'camera.jpg'/,
    )
    expect(await faultsOf(page)).toEqual([])
  },
)

test('a file that is not a picture, and a picture without a face, are reported', async ({ site, page }) => {
  await page.goto(`${site.product.address}/demo/playground`)
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
  const field = page.locator('input[type=file]')
  await field.setInputFiles(file('a.png', Buffer.from('no picture')))
  await expect(page.getByText('This file is no picture that can be read.')).toBeVisible()
  const grey = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
    return canvas.toDataURL('image/png').split(',')[1]!
  })
  await field.setInputFiles(file('grey.png', Buffer.from(grey, 'base64')))
  await expect(page.getByRole('status').filter({ hasText: 'No face was found.' })).toBeVisible()
})

test("the demo uses the visitor's language", long, async ({ site, browser }) => {
  for (const [locale, words] of [
    ['de', 'Bild auswählen'],
    ['ar', 'اختيار صورة'],
  ] as const) {
    const context = await browser.newContext({ locale })
    const page = await context.newPage()
    await page.goto(`${site.product.address}/demo/playground`)
    await expect(page.getByText(words)).toBeVisible()
    expect(await faultsOf(page)).toEqual([])
    await context.close()
  }
})

test('in the console the picture is analysed with the sign-in', long, async ({ site, browser }) => {
  const { page } = await enterConsole(site, browser, 'Plays')
  await page.getByRole('link', { name: 'Developers' }).click()
  await page.getByRole('link', { name: 'Playground' }).click()
  await give(page, 'drop', 'One picture')
  await expectAnswers(page)
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

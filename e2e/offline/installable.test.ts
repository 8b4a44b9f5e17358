import sharp from 'sharp'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { namesKeptBy } from '../support/shelf.ts'

test.use({ serviceWorkers: 'allow' })

interface Manifest {
  readonly id: string
  readonly start_url: string
  readonly scope: string
  readonly display: string
  readonly icons: readonly { src: string; sizes: string; type: string; purpose: string }[]
}

for (const [name, start, manifest] of [
  ['page', '/verification', '/manifest.webmanifest'],
  ['kiosk', '/kiosk', '/kiosk.webmanifest'],
] as const)
  test(`the ${name} can be installed: Chromium reports nothing missing`, async ({ site, page }) => {
    await page.goto(site.product.address + start)
    const devtools = await page.context().newCDPSession(page)
    const { errors, url } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(url).toBe(site.product.address + manifest)
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    // Test profiles do not allow installation. That is the only fault this test accepts.
    const missing = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')
    expect(missing).toEqual([])
  })

test('a kiosk is a separate application in full screen', async ({ site }) => {
  const read = async (path: string) => (await fetch(site.product.address + path)).json()
  const kiosk = (await read('/kiosk.webmanifest')) as Manifest
  expect(kiosk).toMatchObject({ id: '/kiosk', start_url: '/kiosk', scope: '/kiosk', display: 'fullscreen' })
  const page = (await read('/manifest.webmanifest')) as Manifest
  expect(kiosk.icons).toEqual(page.icons)
})

test('the icons match the manifest', async ({ site }) => {
  const read = async (path: string) => fetch(site.product.address + path)
  const answer = await read('/manifest.webmanifest')
  expect(answer.headers.get('content-type')).toContain('application/manifest+json')
  const manifest = (await answer.json()) as Manifest
  expect(manifest).toMatchObject({
    start_url: '/verification',
    scope: '/verification',
    display: 'standalone',
  })
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes, type, purpose } of manifest.icons) {
    const icon = await read(src)
    expect(icon.headers.get('content-type')).toBe(type)
    const { data, info } = await sharp(await icon.arrayBuffer())
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(`${info.width}x${info.height}`).toBe(sizes)
    const isOpaque = info.channels === 3 || data.at(3) === 255
    expect(isOpaque).toBe(purpose === 'maskable')
  }
  const touch = await sharp(await (await read('/apple-touch-icon.png')).arrayBuffer()).metadata()
  expect([touch.width, touch.height, touch.hasAlpha]).toEqual([180, 180, false])
})

for (const [locale, words] of [
  ['en', 'You need a link to start'],
  ['de', 'Sie brauchen einen Link'],
  ['ar', 'يلزم رابط للبدء'],
] as const) {
  test(
    `an installed page explains the missing link, in ${locale}, even offline`,
    locale === 'en' ? {} : long,
    async ({ site, browser }) => {
      const context = await browser.newContext({ locale, serviceWorkers: 'allow' })
      const page = await context.newPage()
      await page.goto(`${site.product.address}/verification`)
      await expect(page.getByRole('heading', { name: words })).toBeVisible()
      await expect
        .poll(() => namesKeptBy(page), { timeout: 30_000 })
        .toContain(locale === 'en' ? 'index' : locale)
      await site.product.pause()
      await page.reload()
      await expect(page.getByRole('heading', { name: words })).toBeVisible()
      await site.product.resume()
      await context.close()
    },
  )
}

test(
  'an installed page stores everything, a page in a tab only what it has loaded',
  long,
  async ({ site, page, browser }) => {
    await page.goto(`${site.product.address}/verification`)
    await expect.poll(() => namesKeptBy(page), { timeout: 30_000 }).toContain('offline')
    expect((await namesKeptBy(page)).sort()).toEqual([
      '/popup',
      '/verification',
      'icon',
      'index',
      'offline',
      'style',
    ])
    const context = await browser.newContext({ serviceWorkers: 'allow' })
    await context.addInitScript(() => {
      const { matchMedia } = window
      window.matchMedia = (query) =>
        query.includes('standalone') ? matchMedia('(min-width: 0px)') : matchMedia(query)
    })
    const installed = await context.newPage()
    await installed.goto(`${site.product.address}/verification`)
    await expect
      .poll(() => namesKeptBy(installed), { timeout: 60_000 })
      .toEqual(
        expect.arrayContaining(['facemesh', 'fr-feature', 'analysis.worker', 'ort-wasm-simd-threaded', 'zh']),
      )
    await context.close()
  },
)

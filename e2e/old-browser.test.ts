import { createCheck, signLink } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { some } from './support/length.ts'

/** Features that a browser may lack, each with a script that removes it. */
const lacks = [
  ['SIMD', 'WebAssembly.validate = () => false'],
  ['workers', 'delete window.Worker'],
  ['module workers', 'window.Worker = class { terminate() {} }'],
  ['canvases in workers', 'delete window.OffscreenCanvas'],
  ['bitmaps', 'delete window.createImageBitmap'],
] as const

for (const [what, removal] of some(lacks)) {
  test(`a browser without ${what} shows a message, and the link still opens in another one`, async ({
    site,
    page,
    browser,
  }) => {
    const link = await signLink(site, await createCheck(site, {}))
    const opened: string[] = []
    page.on('request', (request) => opened.push(new URL(request.url()).pathname))
    await page.addInitScript(removal)
    await page.addInitScript(
      'navigator.mediaDevices.getUserMedia = () => { document.title = "asked"; return new Promise(() => {}) }',
    )
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'This browser is too old for the check' })).toBeVisible()
    expect(await page.title()).not.toBe('asked')
    expect(opened).not.toContain('/v1/verification/init-redirect-session')
    const elsewhere = await browser.newPage()
    await elsewhere.goto(link)
    await expect(elsewhere.getByRole('heading', { name: 'A quick face check' })).toBeVisible()
    await elsewhere.close()
  })
}

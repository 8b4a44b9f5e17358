import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import { installActor } from '../support/acted/actor.ts'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import type { Site } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { captureUrl, decline, inFrame, kept, openShop, type Shop } from '../support/shop.ts'

test('a site shows the check in a frame and gets its outcome as a promise', async ({ site, page }) => {
  const { server, origin } = await openShop(site, inFrame)
  await page.goto(`${origin}/`)
  await page.getByRole('button', { name: 'Check me' }).click()
  await expect(page.locator('iframe')).toHaveAttribute(
    'allow',
    'camera; fullscreen; publickey-credentials-get; publickey-credentials-create',
  )
  await decline(page.frameLocator('iframe[title="Your check"]'))
  await expect
    .poll(() => kept(page, 'outcome'))
    .toEqual({ redirectedTo: `${site.receiver.address}/failed?order=7`, parameters: { order: '7' } })
  await expect(page.locator('iframe')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Check me' })).toBeFocused()
  server.close()
})

test('a message from another origin is ignored, and a site can remove the check', async ({ site, page }) => {
  const { server, origin } = await openShop(site, inFrame)
  await page.goto(`${origin}/`)
  await page.getByRole('button', { name: 'Check me' }).click()
  await expect(page.frameLocator('iframe').getByRole('button', { name: 'I don’t agree' })).toBeVisible()
  await page.evaluate(() => globalThis.postMessage({ redirectedTo: 'https://elsewhere.example/' }))
  await page.evaluate(() => (globalThis as unknown as Shop).abort())
  await expect.poll(() => kept(page, 'problem')).toBe('stopped')
  expect(await kept(page, 'outcome')).toBeUndefined()
  await expect(page.locator('iframe')).toHaveCount(0)
  server.close()
})

test('a site shows the check in a window, which closes after the outcome', async ({ site, page }) => {
  const { server, origin } = await openShop(site, `place: 'popup'`)
  await page.goto(`${origin}/`)
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Check me' }).click()
  const popup = await opening
  await decline(popup)
  await expect.poll(() => kept(page, 'outcome')).toMatchObject({ parameters: { order: '7' } })
  await expect.poll(() => popup.isClosed()).toBe(true)
  server.close()
})

test('a site without a referrer also gets the outcome of its window', async ({ site, page }) => {
  const { server, origin } = await openShop(site, `place: 'popup'`)
  await page.goto(`${origin}/`)
  await page.evaluate(() => {
    const meta = Object.assign(document.createElement('meta'), { name: 'referrer', content: 'no-referrer' })
    document.head.append(meta)
  })
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Check me' }).click()
  const popup = await opening
  await decline(popup)
  await expect.poll(() => kept(page, 'outcome')).toMatchObject({ parameters: { order: '7' } })
  server.close()
})

test('closing the window rejects the promise', long, async ({ site, page }) => {
  const { server, origin } = await openShop(site, `place: 'popup'`)
  await page.goto(`${origin}/`)
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Check me' }).click()
  await (await opening).close()
  await expect.poll(() => kept(page, 'problem')).toBe('closed')
  server.close()
})

test('an unreachable host, or one that does not know the site, is reported after a timeout', async ({
  site,
  page,
}) => {
  const { server, origin } = await openShop(site, `within: 3000, ${inFrame}`)
  const { address, apiKey } = site.product
  await call(fetch, address, updateAccount, { credential: { apiKey }, body: { embedOrigins: [] } })
  await page.goto(`${origin}/`)
  await page.getByRole('button', { name: 'Check me' }).click()
  await expect.poll(() => kept(page, 'problem')).toBe('unreachable')
  await expect(page.locator('iframe')).toHaveCount(0)
  server.close()
})

test('a blocked window is reported by the promise and by the element', async ({ site, page }) => {
  await page.addInitScript(() => {
    globalThis.open = () => null
  })
  const { server, origin } = await openShop(site, `place: 'popup'`)
  await page.goto(`${origin}/`)
  await page.getByRole('button', { name: 'Check me' }).click()
  await expect.poll(() => kept(page, 'problem')).toBe('blocked')
  const code = await page.evaluate(async (address) => {
    await import(`${address}/element.js`)
    const element = document.createElement('selfsame-check')
    element.setAttribute('place', 'popup')
    element.setAttribute('link', `${address}/verification/x`)
    document.body.append(element)
    const told = new Promise<{ code: string }>((hear) =>
      element.addEventListener('error', (event) => hear((event as unknown as CustomEvent).detail)),
    )
    ;(element as HTMLElement & { open(): void }).open()
    return (await told).code
  }, site.product.address)
  expect(code).toBe('blocked')
  server.close()
})

test('an element shows the check and fires its events', long, async ({ site, page }) => {
  const { server, origin } = await openShop(site, inFrame)
  await page.goto(`${origin}/`)
  await page.evaluate(
    async ([address, link]) => {
      await import(`${address}/element.js`)
      const element = document.createElement('selfsame-check')
      for (const name of ['outcome', 'problem', 'error'])
        element.addEventListener(name, (event) =>
          Object.assign(globalThis, { [name]: (event as CustomEvent).detail }),
        )
      element.setAttribute('link', link!)
      document.body.append(element)
    },
    [site.product.address, await captureUrl(site)],
  )
  await decline(page.frameLocator('iframe'))
  await expect.poll(() => kept(page, 'outcome')).toMatchObject({ parameters: { order: '7' } })
  await page.evaluate(() => document.querySelector('selfsame-check')!.remove())
  await expect(page.locator('iframe')).toHaveCount(0)
  server.close()
})

/** A person in front of the camera who performs the requested actions. */
async function check(view: Page | FrameLocator): Promise<void> {
  await view.getByRole('button', { name: 'Agree and continue' }).click()
  await view.getByRole('button', { name: 'Start camera' }).click()
}

for (const [name, place] of [
  ['a frame', inFrame],
  ['a window', `place: 'popup'`],
] as const) {
  test(
    `a person passes the complete check in ${name}, and the shop's page stays open`,
    long,
    async ({ freshSite: site, page, browser }) => {
      test.skip(!hasFootage, 'needs the footage of ../shared/data')
      await installActor(page.context(), await loadClip(browser, 'Krzysiek354_real.webm'), {
        manner: 'asked',
      })
      const { server, origin } = await openShop(site, place)
      await page.goto(`${origin}/`)
      const opening = place === inFrame ? undefined : page.waitForEvent('popup')
      await page.getByRole('button', { name: 'Check me' }).click()
      await check((await opening) ?? page.frameLocator('iframe'))
      await expect
        .poll(() => kept(page, 'outcome'), { timeout: 90_000 })
        .toEqual({ redirectedTo: `${site.receiver.address}/passed?order=7`, parameters: { order: '7' } })
      expect(page.url()).toBe(`${origin}/`)
      server.close()
    },
  )
}

/** A shop that frames the page without the script and does not give it camera access. */
async function openForgetfulShop(site: Site): Promise<{ server: Server; origin: string }> {
  const { address, apiKey } = site.product
  const server = createServer(async (_request, response) => {
    const link = await captureUrl(site)
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en"><script>
      globalThis.outcome = []
      addEventListener('message', ({ data }) => data.redirectedTo && outcome.push(data))
    </script><iframe title="Check" width="390" height="800" src="${link}"></iframe></html>`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await call(fetch, address, updateAccount, { credential: { apiKey }, body: { embedOrigins: [origin] } })
  return { server, origin }
}

test(
  "a frame without camera permission names the site's mistake, continues in a tab, and follows it",
  long,
  async ({ site, page }) => {
    const { server, origin } = await openForgetfulShop(site)
    const warnings: string[] = []
    page.on('console', (message) => warnings.push(message.text()))
    await page.goto(`${origin}/`)
    const frame = page.frameLocator('iframe')
    await check(frame)
    await expect(frame.getByRole('heading', { name: 'The camera can’t open inside this page' })).toBeVisible()
    await expect(frame.getByText('allow="camera"')).toBeVisible()
    expect(warnings).toContain('The frame of this page needs the attribute allow="camera".')

    const link = frame.getByRole('link', { name: 'Open in a new tab' })
    await expect(link).toHaveAttribute('href', /\/handoff#/)
    const opening = page.context().waitForEvent('page')
    await link.click()
    const tab = await opening
    const number = await tab.locator('.number').innerText()
    await expect(frame.locator('.number')).toHaveText(number)
    await tab.getByRole('button', { name: 'Yes, the same' }).click()
    await tab.getByRole('button', { name: 'I don’t agree' }).click()
    await tab.getByRole('button', { name: 'Stop the check' }).click()
    await expect(tab.getByText('Go back to your other screen')).toBeVisible()
    await expect
      .poll(() => kept(page, 'outcome'), { timeout: 30_000 })
      .toEqual([{ redirectedTo: `${site.receiver.address}/failed?order=7` }])
    server.close()
  },
)

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { updateAccount } from '#shared/contract/account.ts'
import { createSession } from '#shared/contract/session-creation.ts'
import { expect, test } from './support/fixture.ts'
import type { Site } from './support/scenario.ts'

/** What a shop's page keeps of what it called. */
interface Shop {
  readonly outcome: unknown
  readonly problem: string
  abort(): void
}

/** A shop on another origin, whose page includes the script of the product and opens a check by a button. */
async function openShop(site: Site, place: string): Promise<{ server: Server; origin: string }> {
  const server = createServer(async (_request, response) => {
    const link = await captureUrl(site)
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en">
      <button>Check me</button><div style="width:390px;height:800px"></div>
      <script type="module">
        import { openVerification } from '${site.product.address}/embed.js'
        const stop = new AbortController()
        globalThis.abort = () => stop.abort(new Error('stopped'))
        document.querySelector('button').onclick = () => {
          openVerification({ ${place}, link: '${link}', title: 'Your check', signal: stop.signal })
            .then((outcome) => { globalThis.outcome = outcome }, (error) => { globalThis.problem = error.code ?? error.message })
        }
      </script></html>`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { address, apiKey } = site.product
  await call(fetch, address, updateAccount, { credential: { apiKey }, body: { embedOrigins: [origin] } })
  return { server, origin }
}

async function captureUrl(site: Site): Promise<string> {
  const { address, apiKey } = site.product
  const verifierConfigs = { liveness: { type: 'Verification' as const } }
  const body = { verifierConfigs, failedUrl: `${site.receiver.address}/failed?order=7` }
  const made = await call(fetch, address, createSession, { credential: { apiKey }, body })
  return made.captureUrl
}

async function decline(page: Page | FrameLocator): Promise<void> {
  await page.getByRole('button', { name: 'I don’t agree' }).click()
  await page.getByRole('button', { name: /^Back to/ }).click()
}

const kept = (page: Page, name: keyof Shop) =>
  page.evaluate((key) => (globalThis as unknown as Record<string, unknown>)[key], name)

const inFrame = `place: 'frame', container: document.querySelector('div')`

test('a site shows the check in a frame, and has its outcome as a promise', async ({ site, page }) => {
  const { server, origin } = await openShop(site, inFrame)
  await page.goto(`${origin}/`)
  await page.getByRole('button', { name: 'Check me' }).click()
  await expect(page.locator('iframe')).toHaveAttribute('allow', 'camera; fullscreen')
  await decline(page.frameLocator('iframe[title="Your check"]'))
  await expect
    .poll(() => kept(page, 'outcome'))
    .toEqual({ redirectedTo: `${site.receiver.address}/failed?order=7`, parameters: { order: '7' } })
  await expect(page.locator('iframe')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Check me' })).toBeFocused()
  server.close()
})

test('a message from elsewhere is no outcome, and a site may take the check away', async ({ site, page }) => {
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

test('a site shows the check in a window of its own, which closes when it has an outcome', async ({
  site,
  page,
}) => {
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

test('a window that the person closes is told', async ({ site, page }) => {
  const { server, origin } = await openShop(site, `place: 'popup'`)
  await page.goto(`${origin}/`)
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Check me' }).click()
  await (await opening).close()
  await expect.poll(() => kept(page, 'problem')).toBe('closed')
  server.close()
})

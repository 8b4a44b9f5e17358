import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { readResult, type Site } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'

const start = { name: 'A quick face check' }

function create(site: Site) {
  const { address, apiKey } = site.product
  const failedUrl = `${site.receiver.address}/failed`
  const body = { verifierConfigs: { liveness: { type: 'Verification' as const } }, failedUrl }
  return call(fetch, address, createSession, { credential: { apiKey }, body })
}

async function decline(page: Page | FrameLocator): Promise<void> {
  await page.getByRole('button', { name: 'I don’t agree' }).click()
  await page.getByRole('button', { name: /^Back to/ }).click()
}

test('the captureUrl of a created session opens the page, which removes the token from the address', async ({
  site,
  page,
}) => {
  const { captureUrl, verificationSessionId } = await create(site)
  await page.goto(captureUrl)
  await expect(page.getByRole('heading', start)).toBeVisible()
  expect(page.url()).toBe(`${site.product.address}/verification/session/${verificationSessionId}`)
  await page.reload()
  await expect(page.getByRole('heading', start)).toBeVisible()
  await decline(page)
  await page.waitForURL(`${site.receiver.address}/failed`)
  const { verificationFailedReasons } = await readResult(site, verificationSessionId)
  expect(verificationFailedReasons).toEqual(['consentDeclined'])
})

test('the page has the colour of its account', long, async ({ site, page }) => {
  const { address, apiKey } = site.product
  await call(fetch, address, updateAccount, { credential: { apiKey }, body: { accentColour: '#1a6b54' } })
  await page.goto((await create(site)).captureUrl)
  // The two consent buttons look alike, so the first filled button appears on the next screen.
  const answers = ['Agree and continue', 'I don’t agree'].map((name) => page.getByRole('button', { name }))
  for (const answer of answers) await expect(answer).toHaveCSS('border-color', 'rgb(26, 107, 84)')
  await answers[0]!.click()
  const button = page.getByRole('button', { name: 'Start camera' })
  await expect(button).toHaveCSS('background-color', 'rgb(26, 107, 84)')
  await expect(button).toHaveCSS('border-color', 'rgb(26, 107, 84)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(button).toHaveCSS('background-color', 'rgb(26, 107, 84)')
  await expect(button).not.toHaveCSS('border-color', 'rgb(26, 107, 84)')
})

/** A shop that frames the page and records its messages. */
async function openShop(captureUrl: () => Promise<string>): Promise<Server> {
  const shop = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><script>
      window.told = []
      addEventListener('message', ({ origin, data }) => told.push({ origin, data }))
    </script><iframe allow="camera" width="390" height="800" src="${await captureUrl()}"></iframe>`)
  })
  await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening))
  return shop
}

test('a framed page reports its destination to the embedder and does not navigate', async ({
  site,
  page,
}) => {
  const { address, apiKey } = site.product
  const shop = await openShop(async () => (await create(site)).captureUrl)
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const body = { embedOrigins: [origin] }
  await call(fetch, address, updateAccount, { credential: { apiKey }, body })
  await page.goto(`${origin}/`)
  const frame = page.frameLocator('iframe')
  await decline(frame)
  const told = () => page.evaluate(() => (globalThis as unknown as { told: unknown[] }).told)
  await expect.poll(told).toEqual([
    { origin: address, data: { shown: true } },
    { origin: address, data: { redirectedTo: `${site.receiver.address}/failed` } },
  ])
  await expect(frame.getByRole('heading', { name: 'No check was made' })).toBeVisible()
  shop.close()
})

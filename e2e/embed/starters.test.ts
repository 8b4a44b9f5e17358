import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { call } from '#shared/call.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Site } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { decline } from '../support/shop.ts'
import { copyStarter, startStarter, type Undo } from '../support/starters.ts'

const run = promisify(execFile)
const undo: Undo = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

function environmentOf({ product }: Site): Record<string, string> {
  return { SELFSAME_URL: product.address, SELFSAME_API_KEY: product.apiKey, PORT: '0' }
}

function allow({ product }: Site, embedOrigins: string[]) {
  const { address, apiKey } = product
  return call(fetch, address, updateAccount, { credential: { apiKey }, body: { embedOrigins } })
}

test('express: sends a person to the check and trusts only the signature', long, async ({ site, page }) => {
  const address = await startStarter(
    await copyStarter('express', undo),
    'server.js',
    environmentOf(site),
    undo,
  )
  await page.goto(address)
  await page.getByRole('button', { name: 'Check my face' }).click()
  await decline(page)
  await expect(page.getByRole('heading', { name: 'Not passed' })).toBeVisible()
  await page.goto(page.url().replace('=failed', '=passed'))
  await expect(page.getByRole('heading', { name: 'Not to be trusted' })).toBeVisible()
})

test('static: a page without a build shows the check of the link after #', async ({ site, page }) => {
  const folder = await copyStarter('static', undo)
  const { address, apiKey } = site.product
  const html = (await readFile(join(folder, 'index.html'), 'utf8')).replaceAll(
    'https://check.example',
    address,
  )
  await writeFile(join(folder, 'index.html'), html)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  undo.push(() => server.close())
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await allow(site, [own])
  const env = { ...process.env, ...environmentOf(site), PAGE: `${own}/` }
  const { stdout } = await run(process.execPath, ['make-link.js'], { cwd: folder, env })
  const [link, result] = stdout.trim().split('\n') as [string, string]

  await page.goto(`${own}/#https://elsewhere.example/`)
  await expect(page.getByRole('status')).toHaveText('Open the link from your letter.')
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.goto('about:blank')
  await page.goto(link)
  await decline(page.frameLocator('iframe'))
  await expect(page.getByRole('status')).toHaveText('Thank you. You can close this page.')
  const verificationSessionId = result.split(' ').at(-1)!
  const query = { verificationSessionId }
  const told = await call(fetch, address, getSessionResult, { credential: { apiKey }, query })
  expect(told.verificationFailedReasons).toEqual(['consentDeclined'])
})

test(
  'react: a component shows the check, and its server requests the result',
  long,
  async ({ site, page }) => {
    const folder = await copyStarter('react', undo)
    await run(process.execPath, [resolve('node_modules/vite/bin/vite.js'), 'build'], { cwd: folder })
    const address = await startStarter(folder, 'server.js', environmentOf(site), undo)
    await allow(site, [address])
    await page.goto(address)
    await page.getByRole('button', { name: 'Check my face' }).click()
    const frame = page.locator('iframe[title="Face check"]')
    await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThanOrEqual(560)
    await decline(page.frameLocator('iframe[title="Face check"]'))
    await expect(page.getByRole('status')).toHaveText('That was not enough. You can try again.')
    await expect(page.locator('iframe')).toHaveCount(0)
    await page.getByRole('button', { name: 'Check my face' }).click()
    await expect(page.frameLocator('iframe').getByRole('button', { name: 'I don’t agree' })).toBeVisible()
  },
)

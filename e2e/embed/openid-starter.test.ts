import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { fullRate } from '../support/acted/acting.ts'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import { begin, openActed } from '../support/acted/scenario.ts'
import { testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { copyStarter, startStarter, type Undo } from '../support/starters.ts'

const run = promisify(execFile)
test.use({ settings: { OPENID_PROVIDER: 'on' } })

const undo: Undo = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Redirect addresses must match exactly, so the port must be known before the client is created. */
async function freePort(): Promise<string> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return String(port)
}

/** Follows examples/README.md: creates a client, then starts the site with the values that were printed. */
async function startSite(address: string, apiKey: string): Promise<string> {
  const folder = await copyStarter('openid', undo)
  const PORT = await freePort()
  const env = { ...process.env, SELFSAME_URL: address, SELFSAME_API_KEY: apiKey, PORT }
  const { stdout } = await run(process.execPath, ['make-client.js'], { cwd: folder, env })
  const words = stdout.trim().split(' ').slice(0, -2)
  expect(stdout.trim()).toMatch(/^ISSUER=\S+ CLIENT_ID=\S+ CLIENT_SECRET=\S+ npm start$/)
  const printed = Object.fromEntries(words.map((word) => word.split(/=(.*)/s).slice(0, 2)))
  return startStarter(folder, 'server.js', { ...printed, PORT }, undo)
}

test(
  "openid: with a test key, the visit's page lets the person choose the result of the sign-in",
  long,
  async ({ site, page }) => {
    const { apiKey } = await testClient(site)
    const address = await startSite(site.product.address, apiKey)
    const end = async (outcome: string) => {
      await page.getByRole('link', { name: 'Sign in with your face' }).click()
      const banner = page.getByRole('complementary', { name: 'Test: nothing here counts' })
      await banner.getByLabel('This test ends with').selectOption(outcome)
      await banner.getByRole('button', { name: 'End the test' }).click()
    }
    await page.goto(address)
    await end('livenessFailed')
    await page.getByRole('button', { name: 'Back to' }).click()
    await expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible()
    await expect(page.locator('pre')).toHaveText('access_denied')
    await end('passed')
    await expect(page.getByRole('heading', { name: 'Signed in' })).toBeVisible()
    await expect(page.locator('pre')).toContainText('"environment": "test"')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Start again' })).toBeVisible()
  },
)

test(
  'openid: a person who looks into the camera is signed in',
  long,
  async ({ freshSite: site, browser }) => {
    test.skip(!hasFootage, 'needs the footage of ../shared/data')
    test.setTimeout(180_000)
    const { address, apiKey } = site.product
    const link = `${await startSite(address, apiKey)}/sign-in`
    const clip = await loadClip(browser, 'Krzysiek354_real.webm')
    const acting = { manner: 'asked', rate: fullRate, reads: 'page', pace: 'human' } as const
    const { context, page } = await openActed(browser, link, clip, acting)
    await begin(page)
    await page.getByRole('button', { name: /^Back to/ }).click({ timeout: 120_000 })
    await expect(page.getByRole('heading', { name: 'Signed in' })).toBeVisible()
    await expect(page.locator('pre')).toContainText('"verified": true')
    await context.close()
  },
)

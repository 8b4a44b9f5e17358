import type { BrowserContext, Page } from '@playwright/test'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import { comeBack, createCheck, openActed, signLink } from '../support/acted/scenario.ts'
import { expectPassed } from '../support/expect-passed.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { state } from '../support/scenes/scene.ts'
import { buildSecond } from '../support/second-build.ts'
import { keptBy, namesKeptBy } from '../support/shelf.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const

test.use({ serviceWorkers: 'allow' })

let second: string
test.beforeAll(async () => {
  second = await buildSecond()
})

/** The names of the page's script and worker, which differ from build to build. */
function scriptsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((name) => /^\/assets\/(index|analysis\.worker)-[^/]+\.js$/.test(name)),
  )
}

/** Marks pages a second after they have registered a service worker, because a worker that left comes back some time after the answer. */
async function noteRegistrations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { serviceWorker } = navigator
    const register = serviceWorker.register.bind(serviceWorker)
    serviceWorker.register = async (...words) => {
      const registration = await register(...words)
      setTimeout(() => document.documentElement.toggleAttribute('data-registered', true), 1000)
      return registration
    }
  })
}

const isSecond = (page: Page) => page.evaluate(() => performance.getEntriesByName('second build').length > 0)
const asks = (page: Page, file: string) => page.evaluate(async (name) => (await fetch(name)).status, file)

/** How many of these files are stored on the device. */
async function countKept(page: Page, files: readonly string[]): Promise<number> {
  const kept = (await keptBy(page)).files
  return files.filter((file) => kept.includes(file)).length
}

/** Waits until the browser has checked for a new build and installed it. */
async function untilNewBuildWaits(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration())!
    await registration.update()
  })
  const waits = async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state
  await expect.poll(() => page.evaluate(waits), { timeout: 30_000 }).toBe('installed')
}

test(
  'a build deployed during a session waits until the session is over',
  long,
  async ({ freshSite: site, browser }) => {
    test.skip(!hasFootage, 'needs the footage of ../shared/data')
    const id = await createCheck(site, liveness)
    const clip = await loadClip(browser, 'Krzysiek354_real.webm')
    const { context, page } = await openActed(
      browser,
      await signLink(site, id),
      clip,
      { manner: 'asked' },
      'allow',
    )
    await page.getByRole('button', { name: 'Agree and continue' }).click()
    await expect.poll(() => namesKeptBy(page), { timeout: 60_000 }).toContain('fr-eye')
    const old = await scriptsOf(page)
    expect(old).toHaveLength(2)

    await site.product.pause()
    await site.product.resume({ WEB_DIR: second })
    const stranger = await fetch(site.product.address + old[0])
    expect(stranger.status, 'the server no longer has the old files').toBe(404)
    await untilNewBuildWaits(page)
    for (const file of old) expect(await asks(page, file)).toBe(200)
    expect(await isSecond(page)).toBe(false)
    await page.getByRole('button', { name: 'Start camera' }).click()
    expectPassed(await comeBack(site, page))

    const next = await visitAnew(context, await signLink(site, id))
    expect(await isSecond(next)).toBe(true)
    await expect.poll(() => namesKeptBy(next), { timeout: 60_000 }).toContain('fr-eye')
    await expect.poll(() => countKept(next, old)).toBe(0)
    await expect.poll(async () => countKept(next, await scriptsOf(next))).toBe(2)
    await context.close()
  },
)

async function visitAnew(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(link)
  return page
}

test('a session reloaded after a deployment continues in the new build', long, async ({ site, page }) => {
  await page.goto(await signLink(site, await createCheck(site, liveness)))
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await expect.poll(() => namesKeptBy(page), { timeout: 60_000 }).toContain('fr-eye')
  await site.product.pause()
  await site.product.resume({ WEB_DIR: second })
  await page.reload()
  await expect(page.locator(state('ready'))).toBeVisible()
  expect(await isSecond(page)).toBe(true)
  await site.product.pause()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Waiting for a connection' })).toBeVisible()
  await site.product.resume({ WEB_DIR: second })
  await expect(page.locator(state('ready'))).toBeVisible({ timeout: 30_000 })
})

test(
  'a page that is open without a visit activates the new build at once',
  long,
  async ({ site, page, context }) => {
    await site.product.pause()
    await site.product.resume()
    await page.goto(`${site.product.address}/verification`)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    expect(await isSecond(page)).toBe(false)
    await site.product.pause()
    await site.product.resume({ WEB_DIR: second })
    const other = await context.newPage()
    await other.goto(`${site.product.address}/demo`)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(() => isSecond(page).catch(() => false), { timeout: 30_000 }).toBe(true)
  },
)

test(
  'a server that disables offline pages removes stored files, and nothing else',
  long,
  async ({ site, page }) => {
    const id = await createCheck(site, liveness)
    await page.goto(await signLink(site, id))
    await expect.poll(() => namesKeptBy(page), { timeout: 60_000 }).toContain('fr-eye')
    await page.evaluate(() => caches.open('of another application'))
    await noteRegistrations(page)
    await site.product.pause()
    await site.product.resume({ OFFLINE_PAGES: 'off' })
    await page.goto(await signLink(site, id))
    await expect
      .poll(() => page.evaluate(() => caches.keys()), { timeout: 30_000 })
      .toEqual(['of another application'])
    // The browser has updated the worker when the page loaded, and it has left, when the page registers it.
    await page.waitForSelector('html[data-registered]', { state: 'attached', timeout: 30_000 })
    const registered = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    await expect.poll(registered).toBe(0)
    await expect(page.getByRole('heading', { name: 'A quick face check' })).toBeVisible()
  },
)

import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { hasFootage, loadClip, stillClip } from '../support/acted/clips.ts'
import { begin, comeBack, createCheck, openActed, type Site, signLink } from '../support/acted/scenario.ts'
import { startPageWorker } from '../support/built-workers.ts'
import { expectPassed } from '../support/expect-passed.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { shortenSession, state } from '../support/scenes/scene.ts'
import { isKeptAnywhere, keptBy, namesKeptBy } from '../support/shelf.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const
const needed = ['analysis.worker', 'blazeface-short', 'face-expression', 'facemesh', 'fr-eye', 'fr-liveness']
const waiting = { name: 'Waiting for a connection' }

test.use({ serviceWorkers: 'allow' })

/** Waits until everything that this visit needs has been stored. */
async function untilKept(page: Page): Promise<void> {
  await expect.poll(() => namesKeptBy(page), { timeout: 60_000 }).toEqual(expect.arrayContaining(needed))
}

/** Goes from the ready screen, or the one that reports that the network is back, to the end. */
async function finish(site: Site, page: Page) {
  const onward = page.getByRole('button', { name: /^(Start camera|Continue)$/ })
  const press = async () => {
    while (!page.isClosed()) await onward.click({ timeout: 90_000 }).then(() => page.waitForTimeout(500))
  }
  press().catch(() => undefined)
  return comeBack(site, page)
}

test.describe('a visit', () => {
  test.skip(!hasFootage, 'needs the footage of ../shared/data')
  const clip = (browser: Parameters<typeof loadClip>[0]) => loadClip(browser, 'Krzysiek354_real.webm')
  const acting = { manner: 'asked' } as const

  /** A visit at its first action. */
  async function reachAction(site: Site, browser: Browser, parameters = '') {
    const link = await signLink(site, await createCheck(site, liveness), parameters)
    const { context, page } = await openActed(browser, link, await clip(browser), acting, 'allow')
    await begin(page)
    await page.locator(state('action')).waitFor()
    return { context, page, link }
  }

  test('stores what it needs offline, and nothing of the session', async ({ site, browser }) => {
    const { context, page, link } = await reachAction(site, browser, '&reExternalId=visitor-4711')
    const { token, sessionId } = await page.evaluate(() => JSON.parse(sessionStorage['selfsame:session']))
    await untilKept(page)
    const kept = await keptBy(page)
    expect(kept.databases).toEqual([])
    // The secret that reopens the link in this browser, stored under a digest of the link.
    expect(kept.local).toEqual(['selfsame:resume'])
    expect(
      kept.files.filter((file) => !/^\/(assets\/[^?]+|(verification|popup)\?sha256-\S+)$/.test(file)),
    ).toEqual([])
    const names = await namesKeptBy(page)
    for (const unneeded of ['fr-feature', 'age-gender', 'de', 'ar']) expect(names).not.toContain(unneeded)
    const secrets = [token, sessionId, 'visitor-4711', new URL(link).searchParams.get('reSignature')!]
    expect(await isKeptAnywhere(page, secrets)).toBe(false)
    await context.close()
  })

  test(
    'reloaded while the server is down, analyses, waits, and continues by itself',
    long,
    async ({ freshSite: site, browser }) => {
      const link = await signLink(site, await createCheck(site, liveness))
      const { context, page } = await openActed(browser, link, await clip(browser), acting, 'allow')
      await page.getByRole('button', { name: 'Agree and continue' }).click()
      await untilKept(page)
      await site.product.pause()
      await page.reload()
      await expect(page.getByRole('heading', waiting)).toBeVisible()
      await expect(page.getByText(/The check continues by itself when you’re online, by \d/)).toBeVisible()
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
      const other = await context.newPage()
      const worker = await startPageWorker(other, site.product.address)
      expect(await other.evaluate(() => crossOriginIsolated)).toBe(true)
      const picture = await readFile((await stillClip()).frames[0]!)
      const seen = await worker.analyse(picture, 'image/jpeg', {
        liveness: 'light',
        expression: 'light',
        eyes: true,
      })
      expect(seen.face?.live.raw).toBeGreaterThanOrEqual(0)
      await other.close()
      await site.product.resume()
      await page.locator(state('ready')).waitFor({ timeout: 30_000 })
      expectPassed(await finish(site, page))
      await context.close()
    },
  )

  test('continues after the network is lost in the middle of a step, and passes', async ({
    freshSite: site,
    browser,
  }) => {
    const { context, page } = await reachAction(site, browser)
    await context.setOffline(true)
    await expect(page.getByRole('heading', waiting)).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('status')).toHaveText(/^Offline. Nothing is lost. Waiting until \d/)
    // Longer than a step's time limit.
    await page.waitForTimeout(14_000)
    await context.setOffline(false)
    await expect(page.getByRole('heading', { name: 'You’re connected again' })).toBeVisible({
      timeout: 30_000,
    })
    const outcome = await finish(site, page)
    expectPassed(outcome)
    expect(outcome.account, 'no step is late because of the network').not.toContain('late')
    await context.close()
  })

  test(
    'continues after the server was down for twenty seconds, and passes',
    long,
    async ({ freshSite: site, browser }) => {
      const { context, page } = await reachAction(site, browser)
      await site.product.pause()
      await expect(page.getByText('Waiting for the network. Nothing is lost.').first()).toBeVisible({
        timeout: 30_000,
      })
      await page.waitForTimeout(20_000)
      await site.product.resume()
      const outcome = await finish(site, page)
      expectPassed(outcome)
      expect(outcome.account, 'no step is late because of the network').not.toContain('late')
      await context.close()
    },
  )
})

test('reports that the time ran out offline, and deletes the pictures', long, async ({ site, browser }) => {
  const link = await signLink(site, await createCheck(site, { age: { type: 'CalculationOnly' } }))
  const { context, page } = await openActed(
    browser,
    'about:blank',
    await stillClip(),
    { manner: 'loop' },
    'allow',
  )
  await shortenSession(page, 30)
  await page.goto(link)
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  const start = page.getByRole('button', { name: 'Start camera' })
  await start.waitFor()
  await context.setOffline(true)
  await start.click()
  await expect(page.getByRole('heading', waiting)).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('heading', { name: 'This check has timed out' })).toBeVisible({
    timeout: 40_000,
  })
  await expect(
    page.getByText('There was no connection in time. The pictures on this page are deleted.'),
  ).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText('This check has timed out')
  await context.close()
})

test(
  'keeps the last pictures until the server is back, and sends them automatically',
  long,
  async ({ freshSite: site, browser }) => {
    const link = await signLink(site, await createCheck(site, { age: { type: 'CalculationOnly' } }))
    const { context, page } = await openActed(browser, link, await stillClip(), { manner: 'loop' }, 'allow')
    await page.getByRole('button', { name: 'Agree and continue' }).click()
    await site.product.pause()
    await page.getByRole('button', { name: 'Start camera' }).click()
    await expect(page.getByRole('heading', waiting)).toBeVisible({ timeout: 60_000 })
    await expect(
      page.getByText(/Your pictures are waiting on this page and will be sent when you’re online, by \d/),
    ).toBeVisible()
    await site.product.resume()
    expectPassed(await comeBack(site, page))
    await context.close()
  },
)

test(
  'a link that another browser used is reported as used, online and offline',
  long,
  async ({ site, page, context, browser }) => {
    const id = await createCheck(site, liveness)
    const link = await signLink(site, id)
    const elsewhere = await browser.newContext()
    const first = await elsewhere.newPage()
    await first.goto(link)
    await first.getByRole('button', { name: 'Agree and continue' }).click()
    await expect(first.getByRole('button', { name: 'Start camera' })).toBeVisible()
    await elsewhere.close()
    await page.goto(await signLink(site, id))
    await untilKept(page)
    const second = await context.newPage()
    await second.goto(link)
    await expect(second.getByRole('heading', { name: 'already used' })).toBeVisible()
    const third = await context.newPage()
    await site.product.pause()
    await third.goto(link)
    await expect(third.getByRole('heading', { name: 'The check can’t be reached' })).toBeVisible()
    expect(new URL(third.url()).search, 'the link is still complete').not.toBe('')
    await site.product.resume()
    await expect(third.getByRole('heading', { name: 'already used' })).toBeVisible({ timeout: 30_000 })
    expect(new URL(third.url()).search).toBe('')
  },
)

test(
  'a new link opened while the server is down opens when it is back',
  long,
  async ({ site, page, context }) => {
    const id = await createCheck(site, liveness)
    await page.goto(await signLink(site, id))
    await untilKept(page)
    const link = await signLink(site, id)
    await site.product.pause()
    const second = await context.newPage()
    await second.goto(link)
    await expect(second.getByRole('heading', { name: 'The check can’t be reached' })).toBeVisible()
    await site.product.resume()
    await expect(second.getByRole('heading', { name: 'A quick face check' })).toBeVisible({ timeout: 30_000 })
  },
)

test(
  'a popup that is reloaded while the server is down still has its opener',
  long,
  async ({ site, page }) => {
    const id = await createCheck(site, liveness)
    await page.goto(`${site.product.address}/popup`)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const link = (await signLink(site, id)).replace('/verification/', '/popup/')
    const opens = page.waitForEvent('popup')
    await page.evaluate((address) => void window.open(address), link)
    const popup = await opens
    await popup.getByRole('button', { name: 'Agree and continue' }).click()
    await expect(popup.getByRole('button', { name: 'Start camera' })).toBeVisible()
    await site.product.pause()
    await popup.reload()
    await expect(popup.getByRole('heading', waiting)).toBeVisible()
    expect(await popup.evaluate(() => window.opener !== null)).toBe(true)
    await site.product.resume()
    await expect(popup.getByRole('button', { name: 'Start camera' })).toBeVisible({ timeout: 30_000 })
  },
)

test('weights damaged on the device are downloaded again', long, async ({ site, page }) => {
  const id = await createCheck(site, liveness)
  await page.goto(await signLink(site, id))
  await untilKept(page)
  const genuine = await digestOfKept(page, 'facemesh')
  await damage(page, 'facemesh')
  expect(await digestOfKept(page, 'facemesh')).not.toBe(genuine)
  await page.goto(await signLink(site, id))
  await expect.poll(() => digestOfKept(page, 'facemesh')).toBe(genuine)
})

function digestOfKept(page: Page, name: string): Promise<string> {
  return page.evaluate(async (part) => {
    const shelf = await caches.open('selfsame-files')
    const request = (await shelf.keys()).find(({ url }) => url.includes(part))!
    const bytes = await (await shelf.match(request, { ignoreVary: true }))!.arrayBuffer()
    return String(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  }, name)
}

function damage(page: Page, name: string): Promise<void> {
  return page.evaluate(async (part) => {
    const shelf = await caches.open('selfsame-files')
    const request = (await shelf.keys()).find(({ url }) => url.includes(part))!
    const bytes = new Uint8Array(await (await shelf.match(request, { ignoreVary: true }))!.arrayBuffer())
    bytes[bytes.length - 1]! ^= 1
    await shelf.put(request, new Response(bytes))
  }, name)
}

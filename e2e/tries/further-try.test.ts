import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, FrameLocator, Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { faultsOf } from '../support/accessibility.ts'
import { installActor } from '../support/acted/actor.ts'
import { stillClip } from '../support/acted/clips.ts'
import { begin, comeBack, createCheck, openActed, type Site, signLink } from '../support/acted/scenario.ts'
import { sentBody } from '../support/acted/sent-body.ts'
import { expect, test } from '../support/fixture.ts'
import { takeOver } from '../support/handoff.ts'
import { isLong, long, some } from '../support/length.ts'
import { state } from '../support/scenes/scene.ts'
import { hideFirstTry, type Refusal, watchRefusal } from '../support/tries.ts'

const retryConfig = { attempts: 2 }
const anyAge = { age: { type: 'CalculationOnly' } } as const
const never = {
  type: 'ThresholdVerification',
  thresholdConfig: { threshold: 99, direction: 'Above' },
} as const
const offer = state('furtherTry')

async function openTry(
  site: Site,
  browser: Browser,
  checks: VerificationConfig['verifierConfigs'],
  more: VerificationConfig = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const id = await createCheck(site, checks, { retryConfig, ...more })
  return openActed(browser, await signLink(site, id), await stillClip(), { manner: 'loop' })
}

const offered = (page: Page | FrameLocator) => page.locator(offer).waitFor({ timeout: 60_000 })

test.describe('a failure that can be tried again', () => {
  /** One visit up to the offer, and one second more. */
  async function refused(
    site: Site,
    browser: Browser,
    checks: VerificationConfig['verifierConfigs'],
    isMended = false,
  ): Promise<Refusal> {
    const { context, page } = await openTry(site, browser, checks)
    if (isMended) await hideFirstTry(page)
    const refusal = await watchRefusal(page, offer)
    await context.close()
    return refusal
  }

  test('shows one page with the same text and timing, whether or not it can be corrected', async ({
    freshSite: site,
    browser,
  }) => {
    test.setTimeout(300_000)
    const duplicate = { faceRecognition: { type: 'DuplicateVerification' } } as const
    const known = await createCheck(site, duplicate, { retryConfig })
    const visits: Refusal[] = []
    for (const round of some([1, 2])) {
      const name = `round ${round}`
      visits.push({
        ...(await refused(site, browser, anyAge, true)),
        name: `${name}, no face: can be corrected`,
      })
      visits.push({ ...(await refused(site, browser, { age: never })), name: `${name}, ageNotMet: stands` })
    }
    for (const isFirst of isLong ? [true, false] : []) {
      const link = await signLink(site, known)
      const { context, page } = await openActed(browser, link, await stillClip(), { manner: 'loop' })
      if (isFirst) {
        await begin(page)
        await page.locator(state('passed')).waitFor({ timeout: 60_000 })
      } else visits.push({ ...(await watchRefusal(page, offer)), name: 'duplicateFace: stands' })
      await context.close()
    }
    const [first, ...others] = visits
    console.log(visits.map(({ name, milliseconds }) => `${name}: ${Math.round(milliseconds)} ms`).join('\n'))
    expect(first!.pages.length).toBeGreaterThan(1)
    expect(first!.pages.at(-1)).toContain('Let’s try that once more')
    for (const other of others) {
      expect(other.pages, other.name).toEqual(first!.pages)
      expect(other.said, other.name).toEqual(first!.said)
      // Concurrent visits wait for one another, so the time is only compared in the long form.
      if (isLong) expect(Math.abs(other.milliseconds - first!.milliseconds), other.name).toBeLessThan(500)
    }
  })

  test(
    'leads by keyboard to another try, which passes after a correction',
    long,
    async ({ site, browser }) => {
      const { context, page } = await openTry(site, browser, anyAge)
      await hideFirstTry(page)
      await begin(page)
      await offered(page)
      await expect(page.getByRole('heading', { name: 'Let’s try that once more' })).toBeFocused()
      await expect(page.locator('[aria-live="polite"]')).toContainText('You can try 2 more times.')
      expect(await faultsOf(page)).toEqual([])
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const { result, returned } = await comeBack(site, page)
      expect([returned, result.verificationResult, result.tries]).toEqual(['passed', 'Pass', 2])
      await context.close()
    },
  )

  test(
    'uses up no try if the answer is lost, and is found again after a reload',
    long,
    async ({ site, browser }) => {
      const { context, page } = await openTry(site, browser, { age: never })
      let lost = 0
      await page.route('**/submit-session', async (route) => {
        if (lost++ > 0) return route.fallback()
        await route.fetch()
        await route.abort('connectionreset')
      })
      await begin(page)
      await offered(page)
      expect(lost).toBeGreaterThan(1)
      await expect(page.getByText('You can try 2 more times.', { exact: true })).toBeVisible()
      await page.reload()
      await offered(page)
      await expect(page.getByText('You can try 2 more times.', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('You can try 1 more time.', { exact: true })).toBeVisible({
        timeout: 60_000,
      })
      await page.getByRole('button', { name: 'Try again' }).click()
      const { result } = await comeBack(site, page)
      expect(result).toMatchObject({ tries: 3, verificationFailedReasons: ['ageNotMet'] })
      await context.close()
    },
  )

  test('can be left with its verdict, even during another try', long, async ({ site, browser }) => {
    for (const button of [/^Back to/, 'Stop the check']) {
      const { context, page } = await openTry(site, browser, { age: never })
      await begin(page)
      await offered(page)
      if (button === 'Stop the check') {
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.locator(state('align')).waitFor()
      }
      await page.getByRole('button', { name: button }).click()
      const { result, returned } = await comeBack(site, page, 10_000)
      expect(returned).toBe('failed')
      expect(result).toMatchObject({ tries: 1, verificationFailedReasons: ['ageNotMet'] })
      await context.close()
    }
  })

  test(
    'continues in a frame, which reports the destination to the embedding page',
    long,
    async ({ site, browser }) => {
      const context = await browser.newContext({ serviceWorkers: 'block' })
      await installActor(context, await stillClip(), { manner: 'loop' })
      const page = await context.newPage()
      const shop = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><script>
        window.told = []
        addEventListener('message', ({ data }) => data.redirectedTo && told.push(data.redirectedTo))
      </script><iframe allow="camera" width="390" height="800"></iframe>`)
      })
      await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening))
      const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
      const { address, apiKey } = site.product
      await call(fetch, address, updateAccount, { credential: { apiKey }, body: { embedOrigins: [origin] } })
      const link = await signLink(site, await createCheck(site, anyAge, { retryConfig }))
      await hideFirstTry(page)
      await page.goto(origin)
      await page.locator('iframe').evaluate((frame, src) => frame.setAttribute('src', src), link)
      const frame = page.frameLocator('iframe')
      await frame.getByRole('button', { name: 'Agree and continue' }).click()
      await frame.getByRole('button', { name: 'Start camera' }).click()
      await offered(frame)
      await frame.getByRole('button', { name: 'Try again' }).click()
      await expect
        .poll(() => page.evaluate(() => (window as unknown as { told: string[] }).told), { timeout: 60_000 })
        .toEqual([expect.stringMatching(/\/passed\?/)])
      await context.close()
      shop.close()
      shop.closeAllConnections()
    },
  )

  test(
    'is tried again on the phone that took it over, while the desktop follows to the end',
    long,
    async ({ site, browser }) => {
      const desk = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        serviceWorkers: 'block',
      })
      const deskPage = await desk.newPage()
      await deskPage.goto(await signLink(site, await createCheck(site, anyAge, { retryConfig })))
      await deskPage.getByRole('button', { name: 'Use my phone' }).click()
      const phone = await browser.newContext({
        viewport: { width: 390, height: 844 },
        serviceWorkers: 'block',
      })
      await installActor(phone, await stillClip(), { manner: 'loop' })
      const page = await phone.newPage()
      await hideFirstTry(page)
      await takeOver(page, deskPage)
      await page.getByRole('button', { name: 'Yes, the same' }).click()
      await begin(page)
      await offered(page)
      await expect(page.getByRole('button', { name: 'Stop the check' })).toBeVisible()
      await expect(deskPage.locator(state('following'))).toBeVisible()
      await page.getByRole('button', { name: 'Try again' }).click()
      const { result } = await comeBack(site, deskPage)
      expect(result).toMatchObject({ verificationResult: 'Pass', tries: 2 })
      await Promise.all([desk.close(), phone.close()])
    },
  )
})

test.describe('an alternative', () => {
  test('is shown and then opened, from the consent and after a failure', long, async ({ site, browser }) => {
    const alternativeConfig = { url: `${site.receiver.address}/other`, text: 'Come to our shop.' }
    for (const isRefused of [false, true]) {
      const { context, page } = await openTry(site, browser, { age: never }, { alternativeConfig })
      const closed: { problem?: string; consent: { given: boolean } }[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/submit-session'))
          closed.push(sentBody(request.postDataBuffer()!) as (typeof closed)[number])
      })
      if (isRefused) {
        await begin(page)
        await offered(page)
      }
      await page.getByRole('button', { name: 'Another way' }).click()
      await expect(page.getByText('Come to our shop.')).toBeVisible()
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Take the other way' }).click()
      await page.waitForURL(alternativeConfig.url)
      expect(closed.at(-1)).toMatchObject({ problem: 'alternativeChosen', consent: { given: isRefused } })
      await context.close()
    }
  })
})

test(
  "shows the account's links and purpose with the consent, in its theme",
  long,
  async ({ site, browser }) => {
    const { address, apiKey } = site.product
    const theme = { accent: '#1a6b54', radius: 4, font: 'serif', mode: 'dark' } as const
    const body = { displayName: 'The Harbour', supportUrl: 'mailto:help@harbour.example', theme }
    await call(fetch, address, updateAccount, { credential: { apiKey }, body })
    const privacyConfig = {
      privacyUrl: 'https://harbour.example/privacy',
      termsUrl: 'https://harbour.example/terms',
      controller: 'Harbour Ltd',
      purpose: 'To open an account',
    }
    const { context, page } = await openTry(site, browser, { age: never }, { privacyConfig })
    const link = (name: string) => page.getByRole('link', { name })
    await expect(page.getByRole('heading', { name: 'A quick face check for The Harbour' })).toBeVisible()
    await expect(page.getByText('To open an account')).toBeVisible()
    await expect(page.getByText('Harbour Ltd')).toBeHidden()
    await page.getByText('All details').click()
    await expect(page.getByText('Harbour Ltd')).toBeVisible()
    await expect(link('How The Harbour uses your data')).toHaveAttribute('href', privacyConfig.privacyUrl)
    await expect(link('Terms of The Harbour')).toHaveAttribute('href', privacyConfig.termsUrl)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(14, 19, 24)')
    await expect(page.locator('html')).toHaveCSS('font-family', /ui-serif/)
    await expect(page.getByRole('button', { name: 'Agree and continue' })).toHaveCSS('border-radius', '4px')
    await begin(page)
    await offered(page)
    await expect(link('Ask The Harbour')).toHaveAttribute('href', body.supportUrl)
    await context.close()
    await call(fetch, address, updateAccount, {
      credential: { apiKey },
      body: {
        displayName: null,
        supportUrl: null,
        theme: { accent: null, radius: null, font: null, mode: null },
      },
    })
  },
)

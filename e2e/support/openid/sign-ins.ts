import { randomBytes } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { createClient } from '#shared/client/client.ts'
import type { Site } from '../acted/scenario.ts'
import { testClient } from '../console/console-visit.ts'
import { type BrowserClient, startBrowserSite } from './browser-site.ts'

/** The outcome of a sign-in in a popup. */
export interface PopupDifficulty {
  readonly name: string
  readonly happen?: (popup: Page, site: Page) => Promise<void>
  /** True if the site sends no Referer header. */
  readonly hidesReferrer?: boolean
}

/** Popups as they are met, and their siblings. */
export const popupDifficulties = {
  none: { name: 'nothing else' },
  noReferrer: { name: 'a site without referrers', hidesReferrer: true },
  closed: {
    name: 'a popup that the person closes and opens again',
    async happen(popup, site) {
      await popup.close()
      await site.locator('output', { hasText: 'error' }).waitFor()
    },
  },
  gap: {
    name: 'a network that is gone for 3 s when the check ends',
    async happen(popup) {
      const context = popup.context()
      await context.setOffline(true)
      setTimeout(() => void context.setOffline(false), 3000)
    },
  },
  reloaded: {
    name: 'a popup that is reloaded',
    happen: async (popup) => void (await popup.reload()),
  },
} as const satisfies Record<string, PopupDifficulty>

/** A test account's site for sign-ins, which may also frame that account's checks. */
export async function openSignInSite(
  { product }: Pick<Site, 'product'>,
  library: BrowserClient,
  hidesReferrer = false,
) {
  const site = await startBrowserSite(library, hidesReferrer)
  const origin = product.address
  await createClient({ origin, apiKey: product.apiKey }).configuration.updateAccount({
    embedOrigins: [site.origin],
  })
  const registered = await registerClient({ product }, [site.redirectUri, site.formUri])
  site.setUp(registered)
  return { site, ...registered }
}

/** Registers a public client of a test account. */
async function registerClient(site: Pick<Site, 'product'>, redirectUris: string[]) {
  const { configuration } = (await testClient(site)).client
  const { verificationId } = await configuration.createVerification({
    name: `Sign-in ${randomBytes(4).toString('hex')}`,
    verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
  })
  const client = { name: 'Shop', verificationId, isPublic: true, redirectUris }
  return configuration.createOpenidClient(client)
}

/** Opens the popup and waits for its first screen. */
async function openPopup(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const popup = await opened
  await testBanner(popup).waitFor()
  return popup
}

const testBanner = (popup: Page) => popup.getByRole('complementary', { name: 'Test: nothing here counts' })

/** Signs in through the popup of a site. Returns the site's result. */
export async function signInByPopup(
  { product }: Pick<Site, 'product'>,
  browser: Browser,
  library: BrowserClient,
  { happen, hidesReferrer }: PopupDifficulty,
): Promise<string> {
  const { site } = await openSignInSite({ product }, library, hidesReferrer)
  const context = await browser.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(site.origin)
  let popup = await openPopup(page)
  // Clients check every half second whether the popup is still open.
  await page.waitForTimeout(3000)
  const early = await page.locator('output').innerText()
  if (early !== '') throw new Error(`the site heard of the popup too early: ${early}`)
  await happen?.(popup, page)
  if (popup.isClosed()) popup = await openPopup(page)
  const banner = testBanner(popup)
  await banner.getByLabel('This test ends with').selectOption('passed')
  const closed = popup.waitForEvent('close')
  await banner.getByRole('button', { name: 'End the test' }).click()
  await closed
  const told = page.locator('output', { hasText: 'verified' })
  await told.waitFor()
  const text = await told.innerText()
  await context.close()
  await site.close()
  return text
}

/** The address at which a client that was registered with one redirect address asks with another one. */
export async function authorizeAddress(
  site: Pick<Site, 'product'>,
  registeredUri: string,
  askedUri: string,
): Promise<string> {
  const { clientId, issuer } = await registerClient(site, [registeredUri])
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: askedUri,
    scope: 'openid face',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    state: 'abc',
  })
  return `${issuer}/auth?${query}`
}

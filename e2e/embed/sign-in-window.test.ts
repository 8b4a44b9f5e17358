import { randomBytes } from 'node:crypto'
import { createClient } from '#shared/client/client.ts'
import { testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { some } from '../support/length.ts'
import { browserClients, startBrowserSite } from '../support/openid/browser-site.ts'

test.use({ settings: { OPENID_PROVIDER: 'on' } })

/** A test account's site, which may also frame that account's checks. */
async function begun(product: { address: string; apiKey: string }, library: (typeof browserClients)[number]) {
  const site = await startBrowserSite(library)
  const { address: origin, apiKey } = product
  await createClient({ origin, apiKey }).configuration.updateAccount({ embedOrigins: [site.origin] })
  const { configuration } = (await testClient({ product } as Parameters<typeof testClient>[0])).client
  const { verificationId } = await configuration.createVerification({
    name: `Sign-in ${randomBytes(4).toString('hex')}`,
    verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
  })
  const { clientId, issuer } = await configuration.createOpenidClient({
    name: 'Shop',
    verificationId,
    isPublic: true,
    redirectUris: [site.redirectUri, site.formUri],
  })
  site.setUp({ clientId, issuer })
  return { site, clientId, issuer }
}

for (const library of some(browserClients))
  test(`a popup of ${library} signs in and closes`, async ({ site: { product }, page }) => {
    const { site } = await begun(product, library)
    await page.goto(site.origin)
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const popup = await opened
    const banner = popup.getByRole('complementary', { name: 'Test: nothing here counts' })
    await banner.getByLabel('This test ends with').selectOption('passed')
    // Clients check every half second whether the popup is still open.
    await page.waitForTimeout(3000)
    await expect(page.locator('output')).toBeEmpty()
    const closed = popup.waitForEvent('close')
    await banner.getByRole('button', { name: 'End the test' }).click()
    await expect(page.locator('output')).toContainText('"verified":true')
    await closed
    await site.close()
  })

test('a form_post answer reaches the site by script, and with a button without scripts', async ({
  site: { product },
  browser,
}) => {
  const { site, clientId, issuer } = await begun(product, 'oidc-client-ts')
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    response_mode: 'form_post',
    redirect_uri: site.formUri,
    scope: 'openid face',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    prompt: 'none',
    state: 'a "quoted" state',
  })
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled, locale: 'en' })
    const page = await context.newPage()
    await page.goto(`${issuer}/auth?${query}`)
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(site.formUri)
    const posted = page.locator('output')
    await expect(posted).toContainText(`POST from ${product.address}`)
    await expect(posted).toContainText('"error":"login_required"')
    await expect(posted).toContainText('"state":"a \\"quoted\\" state"')
    await context.close()
  }
  await site.close()
})

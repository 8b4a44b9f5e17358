import { expect, test } from '../support/fixture.ts'
import { openSignInSite } from '../support/openid/sign-ins.ts'

test.use({ settings: { OPENID_PROVIDER: 'on' } })

test('a form_post answer reaches the site by script, and with a button without scripts', async ({
  site: { product },
  browser,
}) => {
  const { site, clientId, issuer } = await openSignInSite({ product }, 'oidc-client-ts')
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

import { inviteToConsole } from '../support/console/console.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { startOpenidProvider } from '../support/openid/openid-provider.ts'
import { startProduct } from '../support/product.ts'

test(
  'an invited person signs in with the provider, returns with it, and confirms their identity there again',
  long,
  async ({ browser }) => {
    const provider = await startOpenidProvider()
    const { issuer, clientId, clientSecret, name } = provider.settings
    const product = await startProduct({
      OPENID_ISSUER: issuer,
      OPENID_CLIENT_ID: clientId,
      OPENID_CLIENT_SECRET: clientSecret,
      OPENID_NAME: name,
    })
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    await page.goto(await inviteToConsole(product, 'Ada', 'owner'))
    await page.getByRole('button', { name: 'Sign in with Our Login' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await expect(page).not.toHaveURL(/code=/)
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByRole('button', { name: /Ada/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with Our Login' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()

    // Five minutes later, according to the server's answers.
    let isStale = true
    await page.route('**/console/api/people/invite', (route) =>
      isStale
        ? route.fulfill({
            status: 403,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              code: 'passkey_needed',
              status: 403,
              detail: 'Again.',
              title: 'Forbidden',
            }),
          })
        : route.continue(),
    )
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const invitation = page.getByRole('dialog', { name: 'Invite somebody' })
    await invitation.getByLabel('Name').fill('Bob')
    await invitation.getByLabel('E-mail at the provider').fill('bob@example.com')
    await invitation.getByRole('button', { name: 'Create' }).click()
    const again = page.getByRole('button', { name: 'Go to Our Login' })
    await again.waitFor()
    isStale = false
    const opened = page.waitForEvent('popup')
    await again.click()
    await opened
    await expect(page.getByText('bob@example.com')).toBeVisible()
    expect(provider.state.asked.get('prompt')).toBe('login')

    provider.state.person = { sub: 'bob', email: 'bob@example.com', email_verified: true, name: 'Robert' }
    const other = await (await browser.newContext({ locale: 'en' })).newPage()
    await other.goto(page.url())
    await other.getByRole('button', { name: 'Sign in with Our Login' }).click()
    await other.getByRole('heading', { level: 1 }).first().waitFor()
    await expect(other.getByText('Nobody here has this account')).toHaveCount(0)

    provider.state.person = { sub: 'eve', email: 'eve@example.com', email_verified: true }
    const stranger = await (await browser.newContext({ locale: 'en' })).newPage()
    await stranger.goto(page.url())
    await stranger.getByRole('button', { name: 'Sign in with Our Login' }).click()
    await expect(stranger.getByText('Nobody here has this account')).toBeVisible()
    provider.state.isDenied = true
    await stranger.getByRole('button', { name: 'Back to sign-in' }).click()
    await stranger.getByRole('button', { name: 'Sign in with Our Login' }).click()
    await expect(stranger.getByText('Our Login refused: access_denied.')).toBeVisible()

    await product.stop()
    await provider.close()
  },
)

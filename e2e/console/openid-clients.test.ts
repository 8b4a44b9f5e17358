import { faultsOf } from '../support/accessibility.ts'
import { enterConsole, testClient } from '../support/console/console-visit.ts'
import { askForPasskeyOnce } from '../support/console/step-up.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

test.use({ settings: { OPENID_PROVIDER: 'on' } })

test(
  'a client is created, tested from end to end, given a new secret, and deleted by its name',
  long,
  async ({ site, browser }) => {
    const { client } = await testClient(site)
    await client.configuration.createVerification({
      name: 'Sign-in',
      verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
    })
    const { page, show } = await enterConsole(site, browser, 'Connects')
    await show('Test')
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'Sign-in for sites' }).click()
    await expect(page.getByRole('heading', { name: 'No clients yet' })).toBeVisible()

    await page.getByRole('button', { name: 'New client' }).click()
    const creation = page.getByRole('dialog', { name: 'New client' })
    await creation.getByLabel('Name').fill('Shop')
    await creation.getByLabel('Redirect addresses').fill('http://shop.example/callback')
    await creation.getByLabel('Ages that it may ask about').fill('18, soon')
    await creation.getByRole('button', { name: 'Create' }).click()
    await expect(creation.getByLabel('Redirect addresses')).toHaveAttribute('aria-invalid', 'true')
    await expect(creation.getByLabel('Ages that it may ask about')).toHaveAttribute('aria-invalid', 'true')
    expect(await faultsOf(page)).toEqual([])
    await creation.getByLabel('Redirect addresses').fill('https://shop.example/callback')
    await creation.getByLabel('Ages that it may ask about').fill('18')
    await creation.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('The secret of “Shop”')).toBeVisible()
    const secret = page.locator('.secret code')
    const first = await secret.textContent()
    expect(first).toMatch(/^[\w-]{43}$/)

    await page.getByLabel('Actions: Shop', { exact: true }).click()
    await page.getByRole('button', { name: 'Try the sign-in: Shop' }).click()
    const trial = page.getByRole('dialog', { name: 'Try the sign-in of “Shop”' })
    expect(await faultsOf(page)).toEqual([])
    await trial.getByRole('button', { name: 'Prepare' }).click()
    await expect(trial.getByText('openid face', { exact: true })).toBeVisible()
    const popup = page.waitForEvent('popup')
    await trial.getByRole('button', { name: 'Open the sign-in' }).click()
    const visit = await popup
    const banner = visit.getByRole('complementary', { name: 'Test: nothing here counts' })
    await banner.getByLabel('This test ends with').selectOption('passed')
    await banner.getByRole('button', { name: 'End the test' }).click()
    await expect(trial.getByRole('table', { name: 'What the site learns' })).toContainText('/openid/test')
    for (const claim of ['verified', 'assurance', 'environment', 'auth_time', 'sub'])
      await expect(trial.getByRole('cell', { name: claim, exact: true })).toBeVisible()
    expect(await faultsOf(page)).toEqual([])
    await trial.getByRole('button', { name: 'Close' }).click()

    await page.getByLabel('Actions: Shop', { exact: true }).click()
    await page.getByRole('button', { name: 'New secret: Shop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await expect(secret).not.toHaveText(first!)

    await page.getByLabel('Actions: Shop', { exact: true }).click()
    await page.getByRole('button', { name: 'Edit: Shop' }).click()
    const change = page.getByRole('dialog', { name: 'Edit' })
    await change.getByLabel('Name').fill('The shop')
    await change.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('table', { name: 'OpenID clients' })).toContainText('The shop')

    await page.getByLabel('Actions: The shop').click()
    await page.getByRole('button', { name: 'Remove: The shop' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove “The shop”?' })
    await removal.getByRole('button', { name: 'Remove' }).click()
    await expect(removal.getByText('Type “The shop” to continue.').first()).toBeVisible()
    await removal.getByLabel('Type the name again').fill('The shop')
    await removal.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('heading', { name: 'No clients yet' })).toBeVisible()
    await page.context().close()
  },
)

test(
  'a failed sign-in shows the error that the site receives, and a new secret requires the passkey',
  long,
  async ({ site, browser }) => {
    const { client } = await testClient(site)
    const { verificationId } = await client.configuration.createVerification({
      name: 'Sign-in that fails',
      verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
    })
    const redirectUris = ['https://shop.example/callback']
    await client.configuration.createOpenidClient({ name: 'Bank', redirectUris, verificationId })
    const { page, show } = await enterConsole(site, browser, 'Tries')
    await show('Test')
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'Sign-in for sites' }).click()
    await page.getByLabel('Actions: Bank', { exact: true }).click()
    await page.getByRole('button', { name: 'Try the sign-in: Bank' }).click()
    const trial = page.getByRole('dialog', { name: 'Try the sign-in of “Bank”' })
    await trial.getByRole('button', { name: 'Prepare' }).click()
    const popup = page.waitForEvent('popup')
    await trial.getByRole('button', { name: 'Open the sign-in' }).click()
    const visit = await popup
    const banner = visit.getByRole('complementary', { name: 'Test: nothing here counts' })
    await banner.getByLabel('This test ends with').selectOption('multipleFaces')
    await banner.getByRole('button', { name: 'End the test' }).click()
    await visit.getByRole('button', { name: 'Back to' }).click()
    await expect(trial.getByText('The site gets the error access_denied.')).toBeVisible()
    await trial.getByRole('button', { name: 'Close' }).click()

    await askForPasskeyOnce(page, 'openid/rotate-secret')
    const shown = page.waitForResponse('**/console/api/again/finish')
    await page.getByLabel('Actions: Bank', { exact: true }).click()
    await page.getByRole('button', { name: 'New secret: Bank' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    expect((await shown).status()).toBe(200)
    await expect(page.getByText('The secret of “Bank”')).toBeVisible()
    await page.context().close()
  },
)

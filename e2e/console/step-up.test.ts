import { createClient } from '#shared/client/client.ts'
import { enterConsole } from '../support/console/console-visit.ts'
import { askForPasskeyOnce } from '../support/console/step-up.ts'
import { expect, test } from '../support/fixture.ts'

test('disabling liveness requires the passkey and continues, and the owners see a notice', async ({
  site,
  browser,
}) => {
  const { product } = site
  const client = createClient({ origin: product.address, apiKey: product.apiKey })
  const name = 'Front door'
  const { verificationId } = await client.configuration.createVerification({
    name,
    verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
  })
  const { page } = await enterConsole(site, browser, 'Dana', { role: 'developer' })
  await askForPasskeyOnce(page, 'verification/update')
  const shown = page.waitForResponse('**/console/api/again/finish')
  await page.getByRole('navigation').getByRole('link', { name: 'Verifications' }).click()
  await page.getByRole('link', { name }).click()
  await page.getByLabel('Check that a living person is there').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  expect((await shown).status()).toBe(200)
  await expect(page.getByRole('listitem').filter({ hasText: 'Version 2' })).toContainText('Dana')
  const { verification } = await client.configuration.getVerification({ verificationId })
  expect(verification.verificationConfig.verifierConfigs?.liveness?.type).not.toBe('Verification')
  await page.context().close()

  const owner = await enterConsole(site, browser, 'Olive')
  const attention = owner.page.getByRole('region', { name: 'Needs attention' })
  const notices = attention.getByText(/\d+ recent changes? that could be misused/)
  await notices.click()
  await expect(attention.getByRole('listitem').filter({ hasText: 'Dana' }).last()).toContainText(
    'A liveness check was switched off',
  )
  await attention.getByRole('button', { name: 'Seen' }).click()
  await expect(attention.getByRole('listitem').filter({ hasText: 'Dana' })).toHaveCount(0)
  await owner.page.context().close()
})

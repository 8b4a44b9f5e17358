import { readFile } from 'node:fs/promises'
import { createClient } from '#shared/client/client.ts'
import { enterConsole } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'

test('a session is copied and cancelled, a person exported, a kiosk revoked, the signing key rotated, and the audit log verified', async ({
  freshSite: site,
  browser,
}) => {
  const { configuration } = createClient({ origin: site.product.address, apiKey: site.product.apiKey })
  const verifierConfigs = { liveness: { type: 'Verification' } } as const
  const { verificationId } = await configuration.createVerification({
    name: 'Door',
    verificationConfig: { verifierConfigs },
  })
  const { verificationSessionId } = await configuration.createSession({
    verificationId,
    externalId: 'user-1',
  })
  await configuration.createKiosk({ name: 'Hall', verificationId })
  const queryString = `reVerificationId=${verificationId}`
  const { signedQueryString } = await configuration.createSignature({ queryString })

  const { page, show } = await enterConsole(site, browser, 'Runs', {
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  await show('Live')
  const dialog = page.getByRole('dialog')

  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('searchbox', { name: 'Id begins with' }).fill(verificationSessionId.slice(0, 6))
  await page
    .getByRole('row', { name: /user-1/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('button', { name: 'Copy as JSON' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(async () => JSON.parse((await copied()) || '{}').listed?.externalId).toBe('user-1')
  await page.getByRole('button', { name: 'Cancel the session' }).click()
  await dialog.getByRole('button', { name: 'Cancel the session' }).click()
  await expect(page.getByRole('button', { name: 'Cancel the session' })).toHaveCount(0)
  expect(await configuration.getSessionResult({ verificationSessionId })).toMatchObject({
    verificationResult: 'Fail',
    verificationFailedReasons: ['sessionExpired'],
  })

  await page.goto(`${new URL(page.url()).origin}/console/collections?person=user-1`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export what is kept' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain(verificationSessionId)

  await page.getByRole('link', { name: 'Kiosks' }).click()
  await page.getByLabel('Actions: Hall').click()
  await page.getByRole('button', { name: 'Switch off: Hall' }).click()
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByRole('row', { name: /Hall/ })).toContainText('Switched off')

  await page.getByRole('link', { name: 'Developers' }).click()
  await page.getByRole('link', { name: 'Rotation' }).click()
  const rotate = page.getByRole('button', { name: 'Rotate' })
  await rotate.first().click()
  await expect(dialog).toContainText('Rotate the signing key?')
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await expect(page.getByText(/The old one is valid until/)).toBeVisible()
  const before = await configuration.validateSignature({ queryString: signedQueryString })
  expect(before.result, 'a result that was signed before').toBe('Valid')

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Name on the pages').fill('Bank of Springfield')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => (await configuration.getAccount()).account.displayName)
    .toBe('Bank of Springfield')
  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('row', { name: /Ended a session/ })).toHaveCount(1)
  await expect(page.getByRole('row', { name: /Replaced the signing key/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Verify the log' }).click()
  await expect(page.getByText(/The log is intact: \d+ entries were checked\./)).toBeVisible()
})

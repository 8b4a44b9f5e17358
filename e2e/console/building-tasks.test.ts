import { enterConsole, testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { readCodeOf } from '../support/handoff.ts'
import { long } from '../support/length.ts'

test('the preview shows an added check before anything is saved', async ({ site, browser }) => {
  const { client } = await testClient(site)
  const { verificationId } = await client.configuration.createVerification({
    name: 'Door check',
    verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
  })
  const { page, show } = await enterConsole(site, browser, 'Previews')
  await show('Test')
  await page.getByRole('navigation').getByRole('link', { name: 'Verifications' }).click()
  await page.getByRole('link', { name: 'Door check' }).click()
  const preview = page.frameLocator('iframe[title="The check as a person sees it"]')
  await expect(preview.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(preview.getByText('Your age, estimated.')).toHaveCount(0)
  await page.getByLabel('Age', { exact: true }).selectOption('Estimated, without a rule')
  await expect(preview.getByText('Your age, estimated.')).toHaveCount(1)
  // The frame is scaled down, so the driver would miss click targets in its lower part.
  await preview.getByText('All details').dispatchEvent('click')
  await expect(preview.getByText('Your age, estimated.')).toBeVisible()
  const purpose = page.getByLabel('What the check is for')
  await purpose.fill('To let members in')
  await expect(purpose).toBeFocused()
  await expect(preview.getByText('To let members in')).toBeVisible()
  await preview.getByRole('button', { name: 'Agree and continue' }).click()
  await expect(page.getByLabel('Screen')).toHaveValue('ready')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(preview.locator('img.stand-in')).toBeVisible()
  await page.getByLabel('Actions').selectOption('Three actions')
  await page.getByLabel('Screen').selectOption('7. Third action')
  await expect(preview.getByText('3 of 3', { exact: true })).toBeVisible()
  await page.getByLabel('Language', { exact: true }).selectOption('German')
  await expect(preview.locator('html')).toHaveAttribute('lang', 'de')
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(preview.locator('html')).toHaveAttribute('data-mode', 'dark')
  const { verification } = await client.configuration.getVerification({ verificationId })
  expect(verification.verificationConfig.verifierConfigs).toEqual({ liveness: { type: 'Verification' } })
})

test(
  'settings without effect on this server, and optional evidence, are explained next to the choice',
  long,
  async ({ site, browser }) => {
    const { client } = await testClient(site)
    const { verificationId } = await client.configuration.createVerification({
      name: 'Vault check',
      verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
    })
    const { page, show } = await enterConsole(site, browser, 'Vaults')
    await show('Test')
    await page.getByRole('navigation').getByRole('link', { name: 'Verifications' }).click()
    await page.getByRole('link', { name: 'Vault check' }).click()
    const mayLeaveOut = page.getByLabel('Accept visits without film or a turn of the head (Low at most)')
    await mayLeaveOut.check()
    const least = page.getByLabel('Minimum assurance')
    await least.selectOption('High')
    await expect(page.getByText('this server trusts no maker of devices')).toBeVisible()
    await expect(mayLeaveOut).toHaveCount(0)
    await least.selectOption('Low')
    await expect(page.getByText('this server trusts no maker of devices')).toHaveCount(0)
    await mayLeaveOut.check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(async () => (await client.configuration.getVerification({ verificationId })).verification)
      .toMatchObject({ verificationConfig: { verifierConfigs: { liveness: { evidence: 'optional' } } } })
  },
)

test('a change is listed among the versions and can be reverted', long, async ({ site, browser }) => {
  const { client } = await testClient(site)
  const { verificationId } = await client.configuration.createVerification({
    name: 'Gate check',
    verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
  })
  const { page, show } = await enterConsole(site, browser, 'Grace')
  await show('Test')
  await page.getByRole('navigation').getByRole('link', { name: 'Verifications' }).click()
  await page.getByRole('link', { name: 'Gate check' }).click()
  await page.getByLabel('Age', { exact: true }).selectOption('Estimated, without a rule')
  await page.getByRole('button', { name: 'Save' }).click()
  const second = page.getByRole('listitem').filter({ hasText: 'Version 2' })
  await expect(second).toContainText('Grace')
  await expect(second).toContainText('verifierConfigs.age.type')
  await expect(second).toContainText('In force')
  await page.getByRole('button', { name: 'Go back to this one: Version 1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go back to this one' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Version 3' })).toContainText('In force')
  await expect(page.getByLabel('Age', { exact: true })).toHaveValue('Disabled')
  const { verification } = await client.configuration.getVerification({ verificationId })
  expect(verification.verificationConfig.verifierConfigs).toEqual({ liveness: { type: 'Verification' } })
})

test(
  'a kiosk is paired with the code from the console, and shown as paired',
  long,
  async ({ site, browser }) => {
    const { client } = await testClient(site)
    await client.configuration.createVerification({ name: 'Reception' })
    const { page, show } = await enterConsole(site, browser, 'Pairs')
    await show('Test')
    await page.getByRole('navigation').getByRole('link', { name: 'Kiosks' }).click()
    await page.getByRole('button', { name: 'New kiosk' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('South door')
    await page.getByLabel('Verification', { exact: true }).selectOption('Reception')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { name: 'Pair the device' })).toBeVisible()
    await expect(page.getByText('npm start -- --https')).toBeVisible()
    const address = await readCodeOf(page)
    const device = await browser.newContext({ locale: 'en', viewport: { width: 800, height: 1200 } })
    const kiosk = await device.newPage()
    await kiosk.goto(address)
    await kiosk.getByRole('button', { name: 'Pair' }).click()
    await expect(kiosk.getByLabel('PIN', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('row', { name: /South door/ })).toContainText('Paired')
    await device.close()
  },
)

test(
  'a test event is sent to an endpoint, and the list shows request and answer',
  long,
  async ({ site, browser }) => {
    const { client } = await testClient(site)
    const url = `${site.receiver.address}/hook`
    await client.configuration.createWebhookEndpoint({ url, events: ['KioskRevoked'] })
    const { page, show } = await enterConsole(site, browser, 'Tries')
    await show('Test')
    await page.getByRole('navigation').getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'Webhook endpoints' }).click()
    await page.getByLabel(`Actions: ${url}`).click()
    await page.getByRole('button', { name: `Send a test event: ${url}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    const row = page.getByRole('row').filter({ hasText: url }).filter({ hasText: 'Test event' })
    await expect(row).toContainText('HTTP 200')
    await row.getByText('VerificationCompleted', { exact: true }).click()
    await expect(row).toContainText('"test":true')
  },
)

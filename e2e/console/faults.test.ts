import type { Browser, Locator, Page } from '@playwright/test'
import type { Site } from '../support/acted/scenario.ts'
import { enterConsole, testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

/** Opens the editor for a new verification. */
async function openEditor(site: Site, browser: Browser, name: string) {
  const { client } = await testClient(site)
  const { verificationId } = await client.configuration.createVerification({
    name,
    verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
  })
  const { page, show } = await enterConsole(site, browser, name)
  await show('Test')
  await page.getByRole('navigation').getByRole('link', { name: 'Verifications' }).click()
  await page.getByRole('link', { name, exact: true }).click()
  const read = async () => (await client.configuration.getVerification({ verificationId })).verification
  return { page, read }
}

/** Expects the field to be focused and visible, and its message to be shown and announced. */
async function expectFault(field: Locator, message: RegExp): Promise<void> {
  await expect(field).toBeFocused()
  await expect(field).toBeInViewport({ ratio: 0.5 })
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(message)
}

const alert = (page: Page) => page.getByRole('alert').filter({ hasText: 'Please check these entries' })

test('a fault reported by the server is shown at its field', async ({ site, browser }) => {
  const { page, read } = await openEditor(site, browser, 'Wrong address')
  const passed = page.getByLabel('Success URL')
  await passed.fill('no address')
  await page.getByLabel('Privacy notice').fill('nor this')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectFault(passed, /URL|https/i)
  await expect(page.getByLabel('Privacy notice')).toHaveAttribute('aria-invalid', 'true')
  await expect(alert(page).getByRole('listitem')).toHaveCount(2)
  await page.screenshot({ path: 'screens/faults/verification.png' })
  await alert(page).getByRole('link', { name: 'Privacy notice' }).click()
  await expectFault(page.getByLabel('Privacy notice'), /spaces/)
  expect((await read()).verificationConfig).not.toHaveProperty('redirectConfig')

  await passed.fill('https://shop.example/passed')
  await page.getByLabel('Failure URL').fill('https://shop.example/failed')
  await page.getByLabel('Privacy notice').fill('https://shop.example/privacy')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await read()).verificationConfig).toHaveProperty('redirectConfig')
  await expect(alert(page)).toHaveCount(0)
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0)
})

test(
  'a fault without a field is shown in the JSON with its line, and so are all faults of edited JSON',
  long,
  async ({ site, browser }) => {
    const { page } = await openEditor(site, browser, 'Slip in a name')
    await page.locator('.config-json > summary').click()
    const json = page.getByLabel('JSON', { exact: true })
    const config = {
      verifierConfigs: { liveness: { type: 'Verification' }, agee: {} },
      redirectConfig: { passedUrl: 'no address', failedUrl: 'https://shop.example/' },
    }
    await json.fill(JSON.stringify(config, null, 2))
    await page.getByRole('button', { name: 'Save' }).click()
    await expectFault(json, /Line 6, verifierConfigs › agee: .*age/)
    const chosen = await json.evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    )
    expect(chosen).toBe('"agee"')
    await page.screenshot({ path: 'screens/faults/json.png' })

    const { agee: _, ...known } = config.verifierConfigs
    await json.fill(JSON.stringify({ ...config, verifierConfigs: known }, null, 2))
    await page.getByRole('button', { name: 'Save' }).click()
    await expectFault(json, /Line 8, redirectConfig › passedUrl: /)
    await expect(page.getByLabel('Success URL')).toHaveAttribute('aria-invalid', 'true')
  },
)

test(
  'faults found by the page are shown in the same way, and nothing is sent',
  long,
  async ({ site, browser }) => {
    const { page, read } = await openEditor(site, browser, 'No number')
    const sent: string[] = []
    page.on(
      'request',
      (request) => request.url().includes('/verification/update') && sent.push(request.url()),
    )
    await page.locator('.config-json > summary').click()
    const json = page.getByLabel('JSON', { exact: true })
    const before = await json.inputValue()
    await json.fill('{\n  "verifierConfigs": {},\n}')
    await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Save' }).click()
    await expectFault(json, /Line 3: this is not valid JSON/)
    await expect(alert(page)).toContainText('Line 3')

    await json.fill(before)
    await page.getByLabel('Age', { exact: true }).selectOption('Must be above or below an age')
    await page.getByLabel('Age in years').fill('')
    await page.getByLabel('Age in years').pressSequentially('1e')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectFault(page.getByLabel('Age in years'), /Enter a number/)
    expect(sent).toEqual([])
    await page.getByLabel('Age in years').fill('21')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await read()).verificationConfig.verifierConfigs).toHaveProperty('age')
  },
)

test("other forms also show the server's faults at their fields", long, async ({ site, browser }) => {
  const { client } = await testClient(site)
  await client.configuration.createVerification({ name: 'For kiosks' })
  const { page, show } = await enterConsole(site, browser, 'Mistaken')
  await show('Test')
  const open = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click()
  const dialog = page.getByRole('dialog')
  const refused = async (field: string, verb: string, message: RegExp) => {
    await dialog.getByRole('button', { name: verb }).click()
    await expectFault(dialog.getByLabel(field, { exact: true }), message)
    await page.screenshot({ path: `screens/faults/${field}.png` })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
  await open('Verifications')
  await page.getByRole('button', { name: 'New verification' }).first().click()
  await refused('Name', 'Create', /./)
  await open('Collections')
  await page.getByRole('button', { name: 'New collection' }).first().click()
  await refused('Id of the collection', 'Create', /./)
  await open('Kiosks')
  await page.getByRole('button', { name: 'New kiosk' }).first().click()
  await refused('Name', 'Create', /./)
  await open('Developers')
  await page.getByRole('button', { name: 'New key' }).first().click()
  await dialog.getByLabel(/^configure/).check()
  await refused('Name', 'Create', /./)
  await page.getByRole('link', { name: 'Webhook endpoints' }).click()
  await page.getByRole('button', { name: 'New endpoint' }).first().click()
  await dialog.getByLabel('Address', { exact: true }).fill('nowhere')
  await refused('Address', 'Create', /URL|https/i)
  await open('Settings')
  await page.getByLabel('Corners in pixels').fill('900')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectFault(page.getByLabel('Corners in pixels'), /./)
  await page.screenshot({ path: 'screens/faults/settings.png' })
  // Unsaved changes cause a confirmation.
  page.once('dialog', (question) => question.accept())
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('button', { name: 'Invite somebody' }).first().click()
  await refused('Name', 'Create', /./)
})

test(
  'an error that does not belong to a field is shown at the top of the form',
  long,
  async ({ site, browser }) => {
    const { page } = await openEditor(site, browser, 'Cut off')
    await page.getByLabel('What the check is for').fill('To let members in')
    await page.route('**/verification/update*', (route) => route.abort())
    await page.getByRole('button', { name: 'Save' }).click()
    const note = page.getByRole('alert').filter({ hasText: 'The server did not answer' })
    await expect(note).toBeInViewport({ timeout: 60_000 })
    await expect(page.getByLabel('What the check is for')).toHaveValue('To let members in')
  },
)

test('creating a key without scopes requires a confirmation', long, async ({ site, browser }) => {
  const { client } = await testClient(site)
  const { page, show } = await enterConsole(site, browser, 'Keyless')
  await show('Test')
  await page.getByRole('navigation').getByRole('link', { name: 'Developers' }).click()
  const dialog = page.getByRole('dialog')
  const names = async () => (await client.configuration.getKeys()).keys.map(({ name }) => name)
  await page.getByRole('button', { name: 'New key' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('For webhooks')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('alert')).toContainText('this key can call nothing')
  await page.screenshot({ path: 'screens/faults/key.png' })
  expect(await names()).not.toContain('For webhooks')
  await dialog.getByLabel(/^analyse/).check()
  await expect(dialog.getByRole('button', { name: 'Create' })).toBeVisible()
  await dialog.getByLabel(/^analyse/).uncheck()
  await dialog.getByRole('button', { name: 'Make a key without scopes' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await names()).toContain('For webhooks')
})

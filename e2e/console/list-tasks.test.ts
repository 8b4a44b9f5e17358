import { readFile } from 'node:fs/promises'
import { createClient } from '#shared/client/client.ts'
import { endedSession, enterConsole, makeKey, testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

test('a view of failed visits on phones is saved, reopened, sorted and exported as CSV', async ({
  freshSite: site,
  browser,
}) => {
  const { client } = await testClient(site)
  const first = await endedSession(client, { externalId: '=user-10', result: 'lowQuality' })
  await endedSession(client, { externalId: '=user-9', result: 'ageNotMet' })
  await endedSession(client, { externalId: 'passed', result: 'passed' })
  const { page, show } = await enterConsole(site, browser, 'Saves')
  await show('Test')
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  await expect(page.getByRole('row', { name: /user-/ })).toHaveCount(2)

  await page.getByRole('button', { name: 'External id', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'External id' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expect(page.getByRole('row').nth(1)).toContainText('user-9')
  await expect(page.getByRole('row').nth(2)).toContainText('user-10')

  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Refused')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('row', { name: /passed/ })).toHaveCount(1)
  await page.reload()
  await page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: 'Refused' }).click()
  await expect(page.getByRole('row', { name: /passed/ })).toHaveCount(0)
  await expect(page.getByRole('row').nth(1)).toContainText('user-9')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text.split('\r\n')).toHaveLength(4)
  expect(text).toContain(",'=user-9,")

  await page.keyboard.press('/')
  await page.keyboard.type(first.slice(0, 8))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /user-/ })).toHaveCount(1)
  await expect(page.getByRole('row').nth(1)).toContainText('user-10')
})

test(
  'a key is replaced in one dialog, and the old one works until its overlap ends',
  long,
  async ({ freshSite: site, browser }) => {
    const { page } = await enterConsole(site, browser, 'Replaces')
    const old = await makeKey(page, 'Shop server')
    const secret = page.locator('.secret code')
    await expect(secret).toBeVisible()
    await page
      .getByRole('row', { name: /Shop server/ })
      .locator('summary')
      .click()
    await page.getByRole('button', { name: 'Replace Shop server' }).click()
    await page.getByLabel('The old key stops working').selectOption('In an hour')
    await page.getByRole('button', { name: 'Make the new key' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(secret).not.toHaveText(old)
    const rows = page.getByRole('row', { name: /Shop server/ })
    await expect(rows).toHaveCount(2)
    await expect(rows.filter({ hasText: 'until' })).toHaveCount(1)
    const clientOf = (apiKey: string) => createClient({ origin: site.product.address, apiKey })
    await clientOf(old).configuration.getAllVerifications()
    await clientOf((await secret.textContent())!).configuration.getAllVerifications()

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await expect(page.getByRole('row', { name: /Revoked an API key/ })).toHaveCount(1)
    await expect(page.getByRole('row', { name: /Created an API key/ })).toHaveCount(2)
    await expect(page.getByText('revokeKey')).toHaveCount(0)
  },
)

test(
  'a check has a purpose in German, its link is sent by mail, and collections show their sizes',
  long,
  async ({ freshSite: site, browser }) => {
    const { client } = await testClient(site)
    const { verificationId } = await client.configuration.createVerification({
      name: 'Door',
      verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
    })
    const { page, show } = await enterConsole(site, browser, 'Writes')
    await show('Test')
    await page.goto(`${new URL(page.url()).origin}/console/verifications/${verificationId}`)
    await page.getByLabel('What the check is for').fill('To open a door')
    await page.getByLabel('Add a language').selectOption('German')
    await page.getByLabel('What the check is for, in German').fill('Um eine Tür zu öffnen')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Saved').first()).toBeVisible()
    const saved = async () => (await client.configuration.getVerification({ verificationId })).verification
    const purpose = { default: 'To open a door', de: 'Um eine Tür zu öffnen' }
    await expect.poll(async () => (await saved()).verificationConfig.privacyConfig).toEqual({ purpose })

    await page.getByRole('button', { name: 'Make a link' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Language of the page').selectOption('German')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    const mail = new URL((await dialog.getByRole('link', { name: 'By e-mail' }).getAttribute('href'))!)
    const address = await dialog.getByRole('textbox').inputValue()
    expect(mail.searchParams.get('body')).toContain(address)
    expect(mail.searchParams.get('subject')).toContain('Kurze Gesichtsprüfung')
    await expect(dialog.getByRole('link', { name: 'By text message' })).toHaveAttribute('href', /^sms:/)

    const visitor = await (await browser.newContext({ locale: 'en' })).newPage()
    await visitor.goto(address)
    await expect(visitor.getByText('Um eine Tür zu öffnen')).toBeVisible()

    await page.goto(`${new URL(page.url()).origin}/console/collections`)
    await expect(page.getByRole('row', { name: /Door/ })).toContainText('0')
  },
)

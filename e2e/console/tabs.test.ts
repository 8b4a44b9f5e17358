import { createClient } from '#shared/client/client.ts'
import { inviteToConsole } from '../support/console/console.ts'
import { enterConsole, testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

test(
  'a tab does not act on an account chosen in another tab, but shows a message and follows it',
  long,
  async ({ site, browser }) => {
    const live = createClient({ origin: site.product.address, apiKey: site.product.apiKey })
    const { client } = await testClient(site)
    const collectionId = 'customers'
    for (const one of [live, client]) await one.faceRecognition.createCollection({ collectionId })
    const { page, show } = await enterConsole(site, browser, 'Two tabs')
    await show('Test')
    await page.getByRole('link', { name: 'Collections' }).click()
    await page.getByRole('link', { name: collectionId }).click()
    await page.getByRole('button', { name: 'Remove the collection' }).click()

    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('button', { name: 'Live', exact: true }).click()
    await other.getByRole('button', { name: 'Live', exact: true, pressed: true }).waitFor()

    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type the name again').fill(collectionId)
    await dialog.getByRole('button', { name: 'Remove the collection' }).click()
    await expect(page.getByRole('status').getByText('Another tab has switched the console')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Live', exact: true, pressed: true })).toBeVisible()
    await expect(dialog).toHaveCount(0)
    for (const one of [live, client]) {
      const { collections } = await one.faceRecognition.getAllCollections({})
      expect(collections.map((found) => found.collectionId)).toContain(collectionId)
    }

    // A list with live updates follows on its own.
    await other.goto(`${new URL(page.url()).origin}/console/sessions`)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(other.getByRole('button', { name: 'Test', exact: true, pressed: true })).toBeVisible({
      timeout: 15_000,
    })
  },
)

test(
  'an invitation opened while the console is open is removed from the address and stored nowhere',
  long,
  async ({ site, browser }) => {
    const { page } = await enterConsole(site, browser, 'Invites herself')
    await page.goto(`${new URL(page.url()).origin}/console`)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const url = await inviteToConsole(site.product, 'Somebody else', 'viewer')
    const code = url.split('#')[1]!
    await page.evaluate((address) => location.assign(address), url)
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Overview')
    expect(page.url()).not.toContain('#')
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
    )
    expect(kept).not.toContain(code)
  },
)

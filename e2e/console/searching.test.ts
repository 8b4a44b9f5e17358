import { enterConsole, testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

test(
  'a search lists several finds, which arrow keys go through, and one find opens',
  long,
  async ({ site, browser }) => {
    const { client } = await testClient(site)
    const verifiers = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
    for (const name of ['North gate, entry', 'North gate, exit'])
      await client.configuration.createVerification({ name, verificationConfig: verifiers })
    const { page, show } = await enterConsole(site, browser, 'Searches')
    await show('Test')
    await page.keyboard.press('/')
    await page.keyboard.type('north gate')
    await page.keyboard.press('Enter')
    const finds = page.locator('.finds').getByRole('link')
    await expect(finds).toHaveCount(2)
    await expect(finds.first()).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(finds.last()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(finds).toHaveCount(0)
    await expect(page.getByRole('searchbox', { name: 'Search', exact: true })).toBeFocused()

    await page.keyboard.press('End')
    await page.keyboard.type(', exit')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'North gate, exit' })).toBeVisible()
  },
)

test('an address that the console has no page for says so and leads on', long, async ({ site, browser }) => {
  const { page } = await enterConsole(site, browser, 'Mistypes')
  const { origin } = new URL(page.url())
  for (const path of ['nothing', 'kiosks/front-desk', 'developers/kyes', 'settings/poeple']) {
    await page.goto(`${origin}/console/${path}`)
    await expect(page.getByRole('heading', { level: 1, name: 'There is no such page' }), path).toBeVisible()
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Sessions' })).toBeVisible()
  }
  await page.getByRole('main').getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
})

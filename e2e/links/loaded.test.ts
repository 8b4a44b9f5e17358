import { createCheck, signLink } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'

const agree = { name: 'Agree and continue' }
const ready = { name: 'Get ready' }
const gone = { name: 'This link has expired or was already used' }

test('of two people who read the same link, the first one to agree has it', async ({
  site,
  browser,
  page,
}) => {
  const link = await signLink(site, await createCheck(site, {}))
  const other = await browser.newPage()
  for (const each of [page, other]) await each.goto(link)
  await other.getByRole('button', agree).click()
  await expect(other.getByRole('heading', ready)).toBeVisible()
  await page.getByRole('button', agree).click()
  await expect(page.getByRole('heading', gone)).toBeVisible()
  await other.close()
})

test('who declines uses the link up, and nothing more is needed', async ({ site, browser, page }) => {
  const link = await signLink(site, await createCheck(site, {}))
  await page.goto(link)
  const begun = page.waitForResponse('**/init-redirect-session')
  await page.getByRole('button', { name: 'I don’t agree' }).click()
  await begun
  await page.getByRole('button', { name: /^Back to/ }).click()
  await page.waitForURL(`${site.receiver.address}/**`)
  const second = await browser.newPage()
  await second.goto(link)
  await expect(second.getByRole('heading', gone)).toBeVisible()
  await second.close()
})

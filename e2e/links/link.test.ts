import { call } from '#shared/call.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { createCheck, signLink } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

const gone = 'This link has expired or was already used'
const ready = { name: 'Get ready' }

test('a link opens once, and a second visitor sees that it was used', async ({ site, page, browser }) => {
  const link = await signLink(site, await createCheck(site, {}))
  await page.goto(link)
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await expect(page.getByRole('heading', ready)).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  const other = await browser.newContext()
  const second = await other.newPage()
  await second.goto(link)
  await expect(second.getByRole('heading', { name: gone })).toBeVisible()
  await other.close()
})

test('a reload continues the same session', async ({ site, page }) => {
  await page.goto(await signLink(site, await createCheck(site, {})))
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await expect(page.getByRole('heading', ready)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', ready)).toBeVisible()
})

test(
  'a link whose tab was closed opens again in the same browser, and the earlier tab loses the session',
  long,
  async ({ site, page, context }) => {
    const link = await signLink(site, await createCheck(site, {}))
    await page.goto(link)
    await page.getByRole('button', { name: 'Agree and continue' }).click()
    await expect(page.getByRole('heading', ready)).toBeVisible()
    await page.close()
    const [second, third] = [await context.newPage(), await context.newPage()]
    for (const tab of [second, third]) {
      await tab.goto(link)
      await tab.getByRole('button', { name: 'Agree and continue' }).click()
      await expect(tab.getByRole('heading', ready)).toBeVisible()
      expect(new URL(tab.url()).search).toBe('')
    }
    await second.reload()
    await expect(second.getByRole('heading', { name: 'The check continues elsewhere' })).toBeVisible()
    const kept = await third.evaluate(() => JSON.stringify(localStorage))
    expect(kept).not.toContain('reSignature')
  },
)

test('a link whose answer is lost opens on the next attempt, even after a reload', async ({ site, page }) => {
  const link = await signLink(site, await createCheck(site, {}))
  const asked = '**/v1/verification/init-redirect-session'
  let lost = 0
  await page.route(asked, async (route) => {
    lost++
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.goto(link)
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await expect(page.getByRole('heading', { name: 'The check can’t be reached' })).toBeVisible()
  expect(lost).toBeGreaterThan(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'The check can’t be reached' })).toBeVisible()
  await page.unroute(asked)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await expect(page.getByRole('heading', ready)).toBeVisible()
})

test('an expired link is reported', long, async ({ site, page }) => {
  const id = await createCheck(site, {})
  const { signedQueryString } = await call(fetch, site.product.address, createSignature, {
    credential: { apiKey: site.product.apiKey },
    body: { queryString: `reVerificationId=${id}`, securitySettings: { expirationInSeconds: 1 } },
  })
  await new Promise((resolve) => setTimeout(resolve, 2100))
  await page.goto(`${site.product.address}/verification/${id}?${signedQueryString}`)
  await expect(page.getByRole('heading', { name: gone })).toBeVisible()
})

test('an altered link does not work', async ({ site, page }) => {
  const link = await signLink(site, await createCheck(site, {}))
  await page.goto(link.replace('?', '?amount=1&'))
  await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
})

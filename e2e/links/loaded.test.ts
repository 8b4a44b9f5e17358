import type { Browser } from '@playwright/test'
import { call } from '#shared/call.ts'
import { getUsage } from '#shared/contract/sessions/session-usage.ts'
import { createCheck, type Site, signLink } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { some } from '../support/length.ts'

const agree = { name: 'Agree and continue' }
const ready = { name: 'Get ready' }
const gone = { name: 'This link has expired or was already used' }

/** How many sessions the account has opened today. */
async function opened(site: Site): Promise<number> {
  const [from, to] = [-3600_000, 3600_000].map((more) => new Date(Date.now() + more).toISOString())
  const { intervals } = await call(fetch, site.product.address, getUsage, {
    credential: { apiKey: site.product.apiKey },
    query: { from: from!, to: to!, interval: 'day' },
  })
  return intervals.reduce((sum, { states }) => sum + states.opened, 0)
}

/** A program that runs scripts and waits, but presses nothing. */
async function scan(browser: Browser, link: string, isSlow = false): Promise<void> {
  const page = await browser.newPage()
  await page.goto(link, { waitUntil: 'networkidle' })
  if (isSlow) await page.waitForTimeout(10_000)
  await page.close()
}

/** The other programs that open the link, and in which order. After that, the person agrees. */
const orders: readonly (readonly [
  string,
  (browser: Browser, link: string) => Promise<void>,
  'before' | 'meanwhile',
])[] = [
  [
    'two scanners at once',
    async (browser, link) => void (await Promise.all([scan(browser, link), scan(browser, link)])),
    'before',
  ],
  ['a scanner while the person reads', (browser, link) => scan(browser, link), 'meanwhile'],
  ['a scanner that waits', (browser, link) => scan(browser, link, true), 'before'],
  [
    'ten previews',
    async (browser, link) => {
      for (let i = 0; i < 10; i++) await scan(browser, link)
    },
    'before',
  ],
]

for (const [name, others, when] of some(orders, 2))
  test(`a one-time link that ${name} loaded begins one session, of the person`, async ({
    freshSite: site,
    browser,
    page,
  }) => {
    const link = await signLink(site, await createCheck(site, {}))
    if (when === 'before') await others(browser, link)
    await page.goto(link)
    await expect(page.getByRole('button', agree)).toBeVisible()
    if (when === 'meanwhile') await others(browser, link)
    expect(await opened(site)).toBe(0)
    await page.getByRole('button', agree).click()
    await expect(page.getByRole('heading', ready)).toBeVisible()
    await scan(browser, link)
    const second = await browser.newPage()
    await second.goto(link)
    await expect(second.getByRole('heading', gone)).toBeVisible()
    await second.close()
    expect(await opened(site)).toBe(1)
  })

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

const tails = [
  '&fbclid=abc',
  '&utm_source=mail&utm_medium=email',
  '.',
  ')',
  '%22',
  '\u200b',
  '&reLocale=de',
  '&reSignature=0',
]

test('what is appended to a link on its way is dropped, and leaves the address', async ({ site, page }) => {
  const id = await createCheck(site, {})
  for (const tail of some(tails, 3)) {
    const link = await signLink(site, id)
    await page.goto(`${link}${tail}`)
    await expect(page.getByRole('button', agree), tail).toBeVisible()
    expect(page.url(), tail).toBe(link)
  }
})

import type { Browser, Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { getUsage } from '#shared/contract/sessions/session-usage.ts'
import { hasFootage, loadClip, stillClip } from '../support/acted/clips.ts'
import { createCheck, type Site } from '../support/acted/scenario.ts'
import { expectPassed } from '../support/expect-passed.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { authorizeAddress, signInByPopup } from '../support/openid/sign-ins.ts'
import { cases, type Row } from '../support/surroundings/cases.ts'
import { waysOn } from '../support/surroundings/surrounding.ts'
import { linkAmid, openAmid, visitAmid } from '../support/surroundings/visits.ts'

test.use({ settings: { CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp', OPENID_PROVIDER: 'on' } })

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const
const age = { age: { type: 'CalculationOnly' } } as const

type VisitRow = Extract<Row, { readonly met: unknown }>
const nameOf = ({ met }: VisitRow) => met.map(({ name }) => name).join('; ')

/** How many sessions the account has opened. */
async function openedSessions({ product }: Site): Promise<number> {
  const [from, to] = [-24, 24].map((hours) => new Date(Date.now() + hours * 3600_000).toISOString())
  const { intervals } = await call(fetch, product.address, getUsage, {
    credential: { apiKey: product.apiKey },
    query: { from: from!, to: to!, interval: 'day' },
  })
  return intervals.reduce((sum, { states }) => sum + states.opened, 0)
}

/** The visit passes, and begins exactly one session, whoever else loaded its link. */
async function expectToPass(site: Site, browser: Browser, row: VisitRow): Promise<void> {
  const isAge = row.comes === 'an age that passes'
  const clip = isAge ? await stillClip() : await loadClip(browser, 'Krzysiek354_real.webm')
  const link = await linkAmid(site, await createCheck(site, isAge ? age : liveness), row.met)
  const before = await openedSessions(site)
  const onFirstScreen = (page: Page) => expectFirstScreen(page, site, { link, before, row })
  expectPassed(await visitAmid(site, browser, link, clip, row.met, { onFirstScreen }))
  expect(await openedSessions(site)).toBe(before + 1)
}

interface FirstScreen {
  readonly link: string
  readonly before: number
  readonly row: VisitRow
}

/** A page that was only loaded has used nothing up and dropped what is not signed. It speaks the language that was asked for. */
async function expectFirstScreen(page: Page, site: Site, { link, before, row }: FirstScreen): Promise<void> {
  const state = page.locator('[data-state="consent"]')
  // Without a network, the link is read later.
  if (row.met.some(({ kind }) => kind === 'network')) return
  await expect(state).toBeVisible()
  expect(await openedSessions(site)).toBe(before)
  if (!row.met.some(({ name }) => name.includes('refuses to change the address')))
    expect(page.url()).toBe(link)
  if (row.speaks === 'de') {
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Eine kurze Gesichtsprüfung')
  }
}

/** The page says what is wrong, and offers a way out. If it does so before anything else, the link still opens elsewhere. */
async function expectWords(site: Site, browser: Browser, { met }: VisitRow, comes: RegExp): Promise<void> {
  const isNetwork = met.some(({ kind }) => kind === 'network')
  const clip = isNetwork ? await loadClip(browser, 'Krzysiek354_real.webm') : await stillClip()
  const link = await linkAmid(site, await createCheck(site, liveness), met)
  const page = await openAmid(browser, link, clip, met)
  for (const { happen } of met) happen?.(page).catch(() => undefined) // the page is closed first
  const agree = page.locator('[data-state="consent"] .actions button').first()
  const heading = page.getByRole('heading', { name: comes })
  await expect(agree.or(heading).first()).toBeVisible()
  // Some things are only found out while the person reads.
  const isBefore = await heading.waitFor({ timeout: 2000 }).then(
    () => true,
    () => false,
  )
  if (!isBefore) {
    await agree.click()
    await page.locator('[data-state="ready"] .primary').click()
  }
  await expect(heading).toBeVisible({ timeout: isNetwork ? 120_000 : 20_000 })
  await expect.poll(() => waysOn(page)).not.toEqual([])
  await page.context().close()
  if (!isBefore) return
  const elsewhere = await browser.newPage()
  await elsewhere.goto(link)
  await expect(elsewhere.getByRole('button', { name: 'Agree and continue' })).toBeVisible()
  await elsewhere.close()
}

/** The check opens and leads back to the program, or a page says why it does not. */
async function expectNative(
  site: Site,
  browser: Browser,
  { registered, asks, isRefused }: Extract<Row, { readonly asks: unknown }>,
): Promise<void> {
  const page = await browser.newPage({ locale: 'en' })
  await page.goto(await authorizeAddress(site, registered, asks))
  if (isRefused) await expect(page.getByText('redirect_uri did not match')).toBeVisible()
  else {
    await page.getByRole('button', { name: 'I don’t agree' }).click()
    // Nothing listens there, so it is enough that the browser asks for it.
    const back = page.waitForRequest((request) => request.url().startsWith(asks))
    await page.getByRole('button', { name: /^Back to/ }).click()
    expect(new URL((await back).url()).searchParams.get('error')).toBe('access_denied')
  }
  await page.close()
}

for (const [group, rows] of Object.entries(cases))
  test.describe(group, () => {
    for (const row of rows) {
      const length = row.isShort ? {} : long
      if ('signsIn' in row)
        test(
          `a popup of ${row.signsIn} signs in amid ${row.amid.name}, and closes`,
          length,
          async ({ site, browser }) => {
            expect(await signInByPopup(site, browser, row.signsIn, row.amid)).toContain('"verified":true')
          },
        )
      else if ('asks' in row)
        test(
          `${row.asks} for ${row.registered}: ${row.isRefused ? 'an error page' : 'the check opens'}`,
          length,
          ({ site, browser }) => expectNative(site, browser, row),
        )
      else if (row.comes instanceof RegExp) {
        const comes = row.comes
        test(`${nameOf(row)}: the page says so, with a way on`, length, ({ site, browser }) =>
          expectWords(site, browser, row, comes),
        )
      } else if (row.comes === 'an age that passes')
        test(`${nameOf(row)}: the visit passes`, length, ({ site, browser }) =>
          expectToPass(site, browser, row),
        )
      else
        test(`${nameOf(row)}: the visit passes with liveness`, length, async ({ freshSite, browser }) => {
          test.skip(!hasFootage, 'needs the footage of ../shared/data')
          await expectToPass(freshSite, browser, row)
        })
    }
  })

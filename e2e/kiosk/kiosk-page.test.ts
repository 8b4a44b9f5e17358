import type { Locator, Page } from '@playwright/test'
import { installActor } from '../support/acted/actor.ts'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import { begin, createCheck } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { makeKiosk, openMenu, pairPage, pin, startButton } from '../support/kiosk/kiosk.ts'
import { dumpStored, recordPictures, takenPictures, tracesIn } from '../support/kiosk/kiosk-dump.ts'
import { long } from '../support/length.ts'
import { keptBy } from '../support/shelf.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const

/** Generous, because performance is not tested here. */
const slow = { timeout: 30_000 }

test.use({ serviceWorkers: 'allow' })

/** Advances the page's clock by up to a minute, one second at a time. */
async function untilSeen(page: Page, wanted: Locator): Promise<void> {
  for (let second = 0; second < 60 && !(await wanted.isVisible()); second++) await page.clock.runFor(1000)
  await expect(wanted).toBeVisible()
}

test(
  'a kiosk is paired with the code in its address, which is then removed',
  long,
  async ({ site, page }) => {
    const pairingUrl = await makeKiosk(site, await createCheck(site, liveness))
    await pairPage(page, pairingUrl)
    expect(new URL(page.url()).hash).toBe('')
    await page.reload()
    await expect(startButton(page)).toBeVisible()
    await expect(page.locator('[data-online="true"]')).toBeVisible()
  },
)

test('a used code is reported and can be corrected', long, async ({ site, page, browser }) => {
  const pairingUrl = await makeKiosk(site, await createCheck(site, liveness))
  const first = await browser.newContext({ serviceWorkers: 'allow' })
  await pairPage(await first.newPage(), pairingUrl)
  await page.goto(pairingUrl)
  await page.getByRole('button', { name: 'Pair' }).click()
  await expect(page.locator('.trouble')).toContainText('This code has expired or was already used', slow)
  await page.getByLabel('Code').fill('00000-00000')
  await page.getByRole('button', { name: 'Pair' }).click()
  await expect(page.locator('.trouble')).toContainText('This code is not known', slow)
  await first.close()
})

test(
  'an iPad that would clear an unused kiosk recommends the Home Screen',
  long,
  async ({ site, browser }) => {
    const userAgent =
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1'
    const context = await browser.newContext({ serviceWorkers: 'allow', userAgent, locale: 'en' })
    const page = await context.newPage()
    const pairingUrl = await makeKiosk(site, await createCheck(site, liveness))
    await page.goto(pairingUrl)
    const note = page.getByText('First add this page to the Home Screen')
    await expect(note).toBeVisible()
    await pairPage(page, pairingUrl)
    await openMenu(page)
    await expect(note).toBeVisible(slow)
    await context.close()
  },
)

test(
  'a second window reports that the kiosk is open elsewhere, and takes over',
  long,
  async ({ site, context }) => {
    const page = await context.newPage()
    await pairPage(page, await makeKiosk(site, await createCheck(site, liveness)))
    const second = await context.newPage()
    await second.goto(page.url())
    await expect(second.getByRole('heading', { name: 'Already open in another window' })).toBeVisible()
    await page.close()
    await expect(startButton(second)).toBeVisible()
  },
)

test('staff enter with the PIN only; unpairing requires the name and deletes everything', async ({
  site,
  page,
}) => {
  await pairPage(page, await makeKiosk(site, await createCheck(site, liveness), 'South door'))
  await openMenu(page, '9999')
  await expect(page.locator('.trouble')).toContainText('This is not the PIN.', slow)
  await expect(page.getByLabel('PIN')).toHaveValue('')
  await page.getByLabel('PIN').fill(pin)
  await page.keyboard.press('Enter')
  await expect(page.getByText('South door')).toBeVisible(slow)
  await page.getByRole('button', { name: 'Unpair this kiosk' }).click()
  await page.getByLabel('Name of the kiosk').fill('North door')
  await page.getByRole('button', { name: 'Unpair', exact: true }).click()
  await expect(page.locator('.trouble')).toContainText('This is not its name.', slow)
  await page.getByLabel('Name of the kiosk').fill('South door')
  await page.getByRole('button', { name: 'Unpair', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Pair this kiosk' })).toBeVisible()
})

test('wrong PINs cause a wait even after a reload, and an idle menu closes', long, async ({ site, page }) => {
  await page.clock.install()
  await pairPage(page, await makeKiosk(site, await createCheck(site, liveness)))
  await page.getByRole('button', { name: 'Staff' }).click()
  for (const seconds of [0, 0, 5, 10, 0]) {
    await page.getByLabel('PIN').fill('9999')
    await page.getByRole('button', { name: 'Open' }).click()
    await expect(page.locator('.trouble')).toContainText('This is not the PIN.', slow)
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, slow)
    await page.clock.runFor(seconds * 1000 + 500)
  }
  await page.reload()
  await openMenu(page)
  await expect(page.getByText('The next try is possible in')).toBeVisible(slow)
  await expect(page.getByRole('heading', { name: 'For staff' })).toHaveCount(0)
  await page.clock.runFor(21_000) // the fifth wrong PIN causes a wait of twenty seconds
  await page.getByLabel('PIN').fill(pin)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'For staff' })).toBeVisible(slow)
  await page.clock.runFor(30_000)
  await expect(page.getByRole('heading', { name: 'For staff' })).toBeVisible()
  await page.clock.runFor(60_000)
  await expect(startButton(page)).toBeVisible()
})

test('the whole screen works with the keyboard and in the chosen language', long, async ({ site, page }) => {
  await page.clock.install()
  await pairPage(page, await makeKiosk(site, await createCheck(site, liveness)))
  await page.getByRole('button', { name: 'العربية' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'تسجيل الوصول بالوجه' })).toBeFocused()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await page.clock.runFor(30_000)
  await expect(startButton(page)).toBeVisible() // without a visitor, it returns to its own language
})

test('offline, a person is checked, answered and forgotten, and the check is sent later', async ({
  site,
  browser,
}) => {
  test.skip(!hasFootage, 'needs the footage of ../shared/data')
  const context = await browser.newContext({
    serviceWorkers: 'allow',
    viewport: { width: 768, height: 1024 },
  })
  await installActor(context, await loadClip(browser, 'Krzysiek354_real.webm'), { manner: 'asked' })
  const page = await context.newPage()
  await recordPictures(page)
  await pairPage(page, await makeKiosk(site, await createCheck(site, liveness)))
  await site.product.pause()
  await page.reload()
  await startButton(page).click()
  await begin(page)
  await expect(page.locator('[data-answer="passed"]')).toBeVisible({ timeout: 120_000 })
  await expect(page.locator('video')).toHaveCount(0)
  await expect(page.getByText('This screen clears by itself.')).toBeVisible()
  await expect(startButton(page)).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('[data-waiting="1"][data-online="false"]')).toBeVisible()
  expect((await keptBy(page)).local).toEqual([])
  const pictures = await takenPictures(page)
  expect(pictures.length).toBeGreaterThan(0)
  const { captures, keyCameOut, texts } = await dumpStored(page)
  expect({ captures, keyCameOut }).toEqual({ captures: 1, keyCameOut: false })
  expect(texts.flatMap((text) => tracesIn(text, pictures))).toEqual([])
  await site.product.resume()
  await expect(page.locator('[data-waiting="0"][data-online="true"]')).toBeVisible({ timeout: 120_000 })
  await openMenu(page)
  await expect(page.getByText('Connected')).toBeVisible(slow)
  await context.close()
})

test('a person who walks away is asked for, and nothing of them remains', async ({ site, page }) => {
  await page.clock.install()
  await pairPage(page, await makeKiosk(site, await createCheck(site, liveness)))
  await startButton(page).click()
  await expect(page.getByRole('button', { name: 'Agree and continue' })).toBeVisible()
  await untilSeen(page, page.getByRole('button', { name: 'I’m here' }))
  await page.getByRole('button', { name: 'I’m here' }).click()
  await expect(page.getByRole('button', { name: 'Agree and continue' })).toBeVisible()
  await untilSeen(page, page.getByRole('heading', { name: 'Still there?' }))
  await untilSeen(page, startButton(page))
})

import type { Page } from '@playwright/test'
import { createCheck } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { makeKiosk, pairPage, startButton } from '../support/kiosk/kiosk.ts'
import { long } from '../support/length.ts'
import { buildSecond } from '../support/second-build.ts'

const age = { age: { type: 'CalculationOnly' } } as const

test.use({ serviceWorkers: 'allow' })

let second: string
test.beforeAll(async () => {
  second = await buildSecond()
})

const isSecond = (page: Page) =>
  page.evaluate(() => performance.getEntriesByName('second build').length > 0).catch(() => false)

test(
  'a build deployed during a check waits until the kiosk is idle, and then works offline',
  long,
  async ({ freshSite: site, page }) => {
    await pairPage(page, await makeKiosk(site, await createCheck(site, age)))
    await startButton(page).click()
    await expect(page.getByRole('button', { name: 'Agree and continue' })).toBeVisible()
    await site.product.pause()
    await site.product.resume({ WEB_DIR: second })
    await page.evaluate(() => dispatchEvent(new Event('online')))
    const waits = async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state
    await expect.poll(() => page.evaluate(waits), { timeout: 60_000 }).toBe('installed')
    await page.waitForTimeout(5000) // long enough for a build that does not wait
    expect(await isSecond(page)).toBe(false)
    await page.getByRole('button', { name: 'I don’t agree' }).click()
    await expect(page.locator('[data-state="answer"]')).toBeVisible()
    expect(await isSecond(page)).toBe(false)

    await expect.poll(() => isSecond(page), { timeout: 120_000 }).toBe(true)
    await expect(startButton(page)).toBeVisible({ timeout: 60_000 })
    await site.product.pause()
    await page.reload()
    await expect(startButton(page)).toBeVisible({ timeout: 60_000 })
    expect(await isSecond(page)).toBe(true)
    await startButton(page).click()
    await expect(page.getByRole('button', { name: 'Agree and continue' })).toBeVisible()
  },
)

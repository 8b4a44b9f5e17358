import type { Page } from '@playwright/test'
import { endedSession, enterConsole, testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

/** The total layout shift since the page was opened, as the browser measures it. */
async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 500)
      }),
  )
}

/** Delays each of the console's answers by a different amount of time. */
async function slowDown(page: Page): Promise<void> {
  const delays: readonly (readonly [string, number])[] = [
    ['get-usage', 700],
    ['get-sessions', 300],
    ['notices', 1000],
    ['verification/get-all', 500],
  ]
  for (const [part, delay] of delays)
    await page.route(
      (url) => url.pathname.includes('/console/api/') && url.pathname.includes(part),
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, delay))
        await route.continue().catch(() => undefined)
      },
    )
}

test(
  'the number of people who left is on the overview, and links to their sessions',
  long,
  async ({ freshSite: site, browser }) => {
    const { client } = await testClient(site)
    for (const [i, result] of ['passed', 'passed', 'passed', 'lowQuality'].entries())
      await endedSession(client, { externalId: `judged-${i}`, result: result as 'passed' })
    await endedSession(client, { externalId: 'gone-1', result: 'consentDeclined' })
    await endedSession(client, { externalId: 'gone-2', result: 'cameraUnavailable' })
    const { page, show } = await enterConsole(site, browser, 'Reads')
    await show('Test')
    const headline = page.getByRole('region', { name: 'Pass rate' })
    await expect(headline).toContainText('75%')
    await expect(headline).toContainText('3 of 4 verdicts')
    await expect(headline).toContainText('95% interval')
    await expect(page.getByRole('row', { name: /^Opened/ })).toContainText('6')
    await expect(page.getByRole('row', { name: /Verdict reached/ })).toContainText('4')
    await page.getByText('Show as a table').click()
    await expect(page.getByRole('table', { name: 'Verdicts by day' }).getByRole('row').last()).toContainText(
      '3',
    )
    await page.getByRole('link', { name: 'Source' }).click()
    await expect(page.getByRole('table', { name: 'Side by side' }).getByRole('row').last()).toContainText(
      'API',
    )
    await headline.getByRole('link', { name: '2', exact: true }).click()
    await expect(page).toHaveURL(/outcome=left/)
    await expect(page.getByRole('row', { name: /gone-/ })).toHaveCount(2)
    await expect(page.getByRole('row', { name: /judged-/ })).toHaveCount(0)
  },
)

test('nothing on the overview moves while its figures load', long, async ({ freshSite: site, browser }) => {
  const { client } = await testClient(site)
  for (const result of ['passed', 'lowQuality', 'consentDeclined'] as const)
    await endedSession(client, { externalId: result, result })
  const { page, show } = await enterConsole(site, browser, 'Watches')
  await show('Test')
  await slowDown(page)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.reload()
    await page.getByRole('table', { name: 'Side by side' }).waitFor()
    await page.locator('.plot canvas').waitFor()
    expect(await shiftOf(page)).toBe(0)
    const chart = page.getByRole('figure')
    const before = await chart.boundingBox()
    await page.getByRole('link', { name: '30 days' }).click()
    await expect(chart.locator('tbody tr')).toHaveCount(30)
    expect(await chart.boundingBox()).toEqual(before)
    await page.getByRole('link', { name: '7 days' }).click()
    await expect(chart.locator('tbody tr')).toHaveCount(7)
  }
})

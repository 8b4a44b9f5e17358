import { call } from '#shared/call.ts'
import { createKey } from '#shared/contract/account/account.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { scopes } from '#shared/endpoint.ts'
import { faultsOf } from '../support/accessibility.ts'
import type { Site } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

/** A test session and its result. */
async function created({ product, receiver }: Site, asked: object = {}) {
  const { address } = product
  const { apiKey } = await call(fetch, address, createKey, {
    credential: { apiKey: product.apiKey },
    body: { name: 'CI', scopes: [...scopes], mode: 'test' },
  })
  const credential = { apiKey }
  const [passedUrl, failedUrl] = [`${receiver.address}/passed`, `${receiver.address}/failed`]
  const verifierConfigs = { liveness: { type: 'Verification' as const } }
  const body = { verifierConfigs, passedUrl, failedUrl, ...asked }
  const { captureUrl, verificationSessionId } = await call(fetch, address, createSession, {
    credential,
    body,
  })
  const query = { verificationSessionId }
  return { captureUrl, result: () => call(fetch, address, getSessionResult, { credential, query }) }
}

test('a test is marked as one, and ends without a camera as chosen on the page', async ({ site, page }) => {
  const { captureUrl, result } = await created(site)
  await page.goto(captureUrl)
  const banner = page.getByRole('complementary', { name: 'Test: nothing here counts' })
  await expect(banner).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await banner.getByLabel('This test ends with').selectOption('multipleFaces')
  await banner.getByRole('button', { name: 'End the test' }).click()
  await page.waitForURL(/\/failed/)
  expect(await result()).toMatchObject({ verificationFailedReasons: ['multipleFaces'] })
})

test('a test with a requested outcome shows it and ends with it', long, async ({ site, page }) => {
  const { captureUrl, result } = await created(site, { testOutcome: { result: 'passed' } })
  await page.goto(captureUrl)
  const banner = page.getByRole('complementary', { name: 'Test: nothing here counts' })
  await expect(banner).toContainText('This test ends with passed')
  await expect(banner.getByRole('combobox')).toHaveCount(0)
  expect(await faultsOf(page)).toEqual([])
  await banner.getByRole('button', { name: 'End the test' }).click()
  await page.waitForURL(/\/passed/)
  expect(await result()).toMatchObject({ verificationResult: 'Pass' })
})

test(
  'a test with two requested outcomes offers a retry after the first and ends with the second',
  long,
  async ({ site, page }) => {
    const tries = [{ result: 'livenessFailed' }, { result: 'passed' }]
    const { captureUrl, result } = await created(site, { testOutcome: { tries } })
    await page.goto(captureUrl)
    const banner = page.getByRole('complementary', { name: 'Test: nothing here counts' })
    await expect(banner).toContainText('This test ends with livenessFailed')
    await banner.getByRole('button', { name: 'End the test' }).click()
    await expect(page.getByText('You can try 2 more times.', { exact: true })).toBeVisible()
    await expect(banner).not.toContainText('livenessFailed')
    await banner.getByRole('button', { name: 'End the test' }).click()
    await page.waitForURL(/\/passed/)
    expect(await result()).toMatchObject({ verificationResult: 'Pass', verificationFailedReasons: [] })
  },
)

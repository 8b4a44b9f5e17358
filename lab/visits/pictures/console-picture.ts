import type { Browser, Page } from '@playwright/test'
import type { Client } from '#shared/client/client.ts'
import { enterConsole, testClient } from '../../../e2e/support/console/console-visit.ts'
import { startProduct } from '../../../e2e/support/product.ts'
import { clockOffBy } from '../../../e2e/support/shifted-clock.ts'
import { writePicture } from './write-picture.ts'

const size = { width: 1200, height: 750 }

/** How the test visits of each day ended, today last. */
const days = [
  ['passed', 'passed', 'ageNotMet'],
  ['passed', 'passed', 'passed', 'lowQuality'],
  ['passed', 'livenessFailed', 'passed', 'passed'],
  ['passed', 'passed'],
  ['passed', 'passed', 'passed', 'ageNotMet', 'passed'],
  ['livenessFailed', 'passed', 'passed', 'passed'],
  ['passed', 'passed', 'ageNotMet'],
] as const
type Outcome = (typeof days)[number][number]

/** The overview of the console after a week of test visits, on the built product. */
export async function drawConsole(browser: Browser): Promise<string> {
  const product = await startProduct(clockOffBy(1 - days.length))
  try {
    const { client } = await testClient({ product })
    const page = await browser.newPage()
    for (const [index, outcomes] of days.entries()) {
      await product.pause()
      await product.resume(clockOffBy(index + 1 - days.length))
      for (const outcome of outcomes) await visit(client, page, outcome)
    }
    const visited = await enterConsole({ product }, browser, 'Ada Lovelace', { context: { viewport: size } })
    await visited.show('Test')
    await visited.page.locator('.plot canvas').waitFor()
    await visited.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    const input = await visited.page.screenshot({ animations: 'disabled' })
    return await writePicture('console.png', { ...size, pieces: [{ input, left: 0, top: 0 }] }, size.width)
  } finally {
    await product.stop()
  }
}

/** Somebody agrees, and ends the test. */
async function visit({ configuration }: Client, page: Page, result: Outcome): Promise<void> {
  const verifierConfigs = { liveness: { type: 'Verification' as const } }
  const { captureUrl } = await configuration.createSession({ verifierConfigs, testOutcome: { result } })
  await page.goto(captureUrl)
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await page.getByRole('button', { name: 'Start camera' }).waitFor()
  await page.getByRole('button', { name: 'End the test' }).click()
  await page
    .locator('[data-state="passed"], [data-state="notCompleted"], [data-state="furtherTry"]')
    .waitFor()
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { enterConsole, testClient } from '../../../e2e/support/console/console-visit.ts'
import { startProduct } from '../../../e2e/support/product.ts'
import { clockOffBy } from '../../../e2e/support/shifted-clock.ts'
import type { Client } from '../../../shared/client/client.ts'
import { writePicture } from './write-picture.ts'

const size = { width: 1200, height: 750 }

/** How each day's test sessions ended, with today last. */
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

/** The shortest visit and the difference between two visits, so that the durations in the picture look realistic. */
const shortestInSeconds = 14
const differenceInSeconds = 4

/** The console's overview after a week of test sessions, on the built product. */
export async function drawConsole(browser: Browser): Promise<string> {
  const product = await startProduct(clockOffBy(1 - days.length))
  try {
    const { client } = await testClient({ product })
    let visitors = 0
    for (const [index, outcomes] of days.entries()) {
      await product.pause()
      await product.resume(clockOffBy(index + 1 - days.length))
      const visits = outcomes.map((result, place) =>
        visit(client, `user-${++visitors}`, result, shortestInSeconds + place * differenceInSeconds),
      )
      await Promise.all(visits)
    }
    // The invitation is created outside the server, with today's clock.
    const today = { ...product, settings: { ...product.settings, ...clockOffBy(0) } }
    const context = { viewport: size }
    const visited = await enterConsole({ product: today }, browser, 'Ada Lovelace', { context })
    await visited.show('Test')
    await visited.page.locator('.plot canvas').waitFor()
    await visited.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    const input = await visited.page.screenshot({ animations: 'disabled' })
    return await writePicture('console.png', { ...size, pieces: [{ input, left: 0, top: 0 }] }, size.width)
  } finally {
    await product.stop()
  }
}

async function visit(client: Client, externalId: string, result: Outcome, seconds: number): Promise<void> {
  const verifierConfigs = { liveness: { type: 'Verification' as const } }
  const { verificationSessionId } = await client.configuration.createSession({ verifierConfigs, externalId })
  await sleep(seconds * 1000)
  await client.configuration.completeTestSession({ verificationSessionId, testOutcome: { result } })
}

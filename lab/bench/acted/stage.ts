import type { Browser, Page } from '@playwright/test'
import { needFootage } from '#lab/footage.ts'
import { type Clip, loadClip } from '../../../e2e/support/acted/clips.ts'
import { begin, createCheck, type Site } from '../../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import { startProduct, startReceiver } from '../../../e2e/support/product.ts'
import { goThrough } from './living.ts'

const live = ['Krzysiek354_real.webm', 'tranvanluyt2203_real.mp4']

/** Two living people, a browser, and a check that asks them to turn and look up. */
export interface Stage {
  readonly browser: Browser
  readonly site: Site
  readonly check: string
  readonly clips: readonly Clip[]
}

/** Runs `use` on a stage, then closes everything that was started for it. */
export async function onStage<T>(
  challengeType: 'Balanced' | 'Advanced',
  act: (stage: Stage) => Promise<T>,
): Promise<T> {
  needFootage(...live)
  const browser = await launchBrowser()
  const receiver = await startReceiver()
  const product = await startProduct({ CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp', LOG_LEVEL: 'silent' })
  try {
    const site = { product, receiver }
    const check = await createCheck(site, { liveness: { type: 'Verification', challengeType } })
    const clips = await Promise.all(live.map((file) => loadClip(browser, file)))
    return await act({ browser, site, check, clips })
  } finally {
    await browser.close()
    await product.stop()
    await receiver.stop()
  }
}

/** Goes through a visit from the first tap to the end. Returns whether it passed and how long it took. A visit that gets stuck has not passed. */
export async function finish(
  page: Page,
  mostMilliseconds?: number,
): Promise<{ passed: boolean; took: number }> {
  const startedAt = Date.now()
  const isOver = await begin(page)
    .then(() => goThrough(page, mostMilliseconds))
    .then(
      () => true,
      () => false,
    )
  const took = Date.now() - startedAt
  return { passed: isOver && (await page.locator('[data-state="passed"]').count()) === 1, took }
}

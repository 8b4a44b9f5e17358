import type { Page, Worker } from '@playwright/test'
import { stillClip } from './support/acted/clips.ts'
import { begin, createCheck, openActed, signLink } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { some } from './support/length.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const
const onlyAge = { age: { type: 'CalculationOnly' } } as const

/** All events after which the camera is no longer needed. */
const endings: readonly {
  name: string
  checks: typeof liveness | typeof onlyAge
  end(page: Page): Promise<unknown>
}[] = [
  {
    name: 'after the last picture',
    checks: onlyAge,
    end: (page) => page.locator('[data-state="sending"]').waitFor({ timeout: 60_000 }),
  },
  {
    name: 'after the person leaves',
    checks: liveness,
    end: (page) => page.getByRole('button', { name: 'Stop the check' }).click(),
  },
  {
    name: 'after the page is hidden',
    checks: liveness,
    async end(page) {
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      })
      await page.locator('[data-cause="away"]').waitFor()
    },
  },
  {
    name: 'after the analysis fails',
    checks: liveness,
    async end(page) {
      const crashed = new Set<Worker>()
      const nextWorker = () => page.workers().find((worker) => !crashed.has(worker))
      for (let crash = 0; crash < 2; crash++) {
        // A crash while networks are still loading would count as a failed load.
        await page.waitForTimeout(3000)
        await expect.poll(nextWorker, { timeout: 30_000 }).toBeDefined()
        const worker = nextWorker()!
        crashed.add(worker)
        // Thrown outside the evaluated call, so that it counts as an error in the worker.
        await worker.evaluate(() => void setTimeout(() => JSON.parse('{')))
      }
      await page.locator('[data-state="cameraProblem"]').waitFor({ timeout: 60_000 })
    },
  },
]

for (const { name, checks, end } of some(endings)) {
  test(`the camera is off ${name}`, async ({ site, browser }) => {
    const link = await signLink(site, await createCheck(site, checks))
    const { context, page } = await openActed(browser, link, await stillClip(), { manner: 'loop' })
    await page.route('**/submit-session', async () => {})
    await begin(page)
    await page.locator('[data-state="align"], [data-state="hold"]').waitFor()
    expect(await page.evaluate(() => window.actor.tracksOn())).toBe(1)
    await end(page)
    await expect.poll(() => page.evaluate(() => window.actor.tracksOn())).toBe(0)
    await context.close()
  })
}

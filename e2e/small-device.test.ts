import type { Browser, Page } from '@playwright/test'
import { hasFootage, loadClip } from './support/acted/clips.ts'
import { watchFilm } from './support/acted/filmed.ts'
import { begin, comeBack, createCheck, openActed, signLink } from './support/acted/scenario.ts'
import { seenOn, watchScreens } from './support/acted/witness.ts'
import { expectPassed } from './support/expect-passed.ts'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'
import { pageProcessMemory } from './support/process-memory.ts'
import { slowDown } from './support/slow-device.ts'

/** The number of sessions in one tab. With fewer, the test would not show anything. */
const sessions = Number(process.env.TAB_SESSIONS ?? 20)
const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const
const megabyte = 1024 * 1024

test.skip(!hasFootage, 'needs the footage of ../shared/data')

test(
  'a device four times slower analyses fewer pictures, and passes',
  long,
  async ({ freshSite: site, browser }) => {
    const clip = await loadClip(browser, 'Krzysiek354_real.webm')
    const link = await signLink(site, await createCheck(site, liveness))
    const { context, page } = await openActed(browser, link, clip, { manner: 'asked' })
    await slowDown(page, 4, 150)
    await begin(page)
    const figures = readFigures(page)
    const outcome = await comeBack(site, page, 240_000)
    const { gap, longest } = await figures
    console.log(`slow device: ${gap.toFixed(0)} ms between pictures, longest task ${longest.toFixed(0)} ms`)
    expectPassed(outcome)
    expect(gap, 'at most four pictures per second').toBeGreaterThanOrEqual(240)
    await context.close()
  },
)

test(
  'a device six times slower analyses fewer pictures, films enough, soon reports a face that is too far away, and passes in time',
  long,
  async ({ freshSite: site, browser }) => {
    test.setTimeout(240_000)
    const clip = await loadClip(browser, 'Krzysiek354_real.webm')
    const link = await signLink(site, await createCheck(site, liveness))
    const acting = { manner: 'asked', place: { size: 0.4, right: 0, down: 0 } } as const
    const { context, page } = await openActed(browser, link, clip, acting, 'block', watchScreens)
    const film = watchFilm(page)
    await slowDown(page, 6)
    await begin(page)
    const { gap } = await readFigures(page)
    const moments = await seenOn(page)
    expectPassed(await comeBack(site, page))
    const aligned = moments.find(({ state }) => state === 'align')!
    const hinted = moments.find(({ hint }) => hint === 'closer')!
    expect(hinted.at - aligned.at).toBeLessThan(4000)
    expect(gap, 'at most four pictures per second').toBeGreaterThanOrEqual(240)
    expect(film.perSecond(), 'enough pictures of the film for `standard`').toBeGreaterThanOrEqual(2.5)
    expect(moments.filter(({ state }) => state === 'paused' || state === 'retake')).toEqual([])
    await context.close()
  },
)

/** The median gap between pictures while the session is being sent, and the longest task on the page's main thread. */
async function readFigures(page: Page) {
  await page.evaluate(() => {
    const tasks: number[] = []
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      entryTypes: ['longtask'],
    })
    Object.assign(window, { tasks })
  })
  await page.locator('[data-state="sending"]').waitFor({ timeout: 240_000 })
  return page.evaluate(() => {
    const starts = performance.getEntriesByName('selfsame:frame').map(({ startTime }) => startTime)
    const gaps = starts.slice(6).map((start, i) => start - starts[i + 5]!)
    const { tasks } = window as unknown as { tasks: number[] }
    return { gap: gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0, longest: Math.max(0, ...tasks) }
  })
}

test(
  'a tab uses no more memory after many sessions than after the first ones',
  long,
  async ({ site, browser }) => {
    test.setTimeout(180_000 * (sessions + 1))
    const clip = await loadClip(browser, 'Krzysiek354_real.webm')
    const id = await createCheck(site, liveness)
    const { context, page } = await openActed(browser, await signLink(site, id), clip, { manner: 'asked' })
    const held: Held[] = []
    for (let session = 0; session < sessions; session++) {
      if (session > 0) await page.goto(await signLink(site, id))
      await begin(page)
      // The networks stay loaded whatever the outcome, and the clip is always the same.
      await page.locator('[data-state="passed"], [data-state="notCompleted"]').waitFor({ timeout: 60_000 })
      held.push(await heldBy(browser, page))
      await comeBack(site, page)
    }
    for (const { process, heap } of held)
      console.log(
        `process ${(process / megabyte).toFixed(1)} MB, JavaScript ${(heap / megabyte).toFixed(1)} MB`,
      )
    const [, first] = held
    const last = held.at(-1)!
    expect(last.heap - first!.heap).toBeLessThan(3 * megabyte)
    expect(last.process - first!.process).toBeLessThan(40 * megabyte)
    await context.close()
  },
)

interface Held {
  /** The private memory of the largest page process, in bytes. */
  readonly process: number
  readonly heap: number
}

/** The tab's memory after garbage collection. */
async function heldBy(browser: Browser, page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return { process: (await pageProcessMemory(browser)) ?? 0, heap: usedSize }
}

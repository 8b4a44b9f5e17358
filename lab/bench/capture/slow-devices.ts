import type { BrowserContext } from '@playwright/test'
import { median } from '#lab/statistics/quantile.ts'
import { slowDown } from '../../../e2e/support/slow-device.ts'

const rates = [4, 6] as const
const visits = 3
const watchedMilliseconds = 5000

/** A browser context with a camera, and a link to open in it. */
export type NewVisitor = () => Promise<{ readonly context: BrowserContext; readonly link: string }>

interface SlowVisit {
  readonly firstAnalysis: number
  readonly picturesPerSecond: number
  /** The page's longest main-thread task after the first analysis, in milliseconds. */
  readonly longestTask: number
}

/**
 * Measures the product's page on devices that are slowed down by several factors: the time until the first picture is analysed and its hint appears,
 * the pictures per second from then on, and the longest task on the page's own thread. `frame` is how many milliseconds a picture takes at full
 * speed. The protocol cannot slow down the worker, so the worker waits for the difference.
 */
export async function benchSlowDevices(
  frame: number,
  newVisitor: NewVisitor,
): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  for (const rate of rates) {
    const seen: SlowVisit[] = []
    for (let i = 0; i < visits; i++) seen.push(await visitSlowly(rate, frame, newVisitor))
    figures[`slow${rate}.msToFirstAnalysis`] = median(seen.map(({ firstAnalysis }) => firstAnalysis))
    figures[`slow${rate}.picturesPerSecond`] = median(seen.map(({ picturesPerSecond }) => picturesPerSecond))
    figures[`slow${rate}.longestTaskMs`] = Math.max(...seen.map(({ longestTask }) => longestTask))
  }
  return figures
}

async function visitSlowly(rate: number, frame: number, newVisitor: NewVisitor): Promise<SlowVisit> {
  const { context, link } = await newVisitor()
  await context.addInitScript(noteLongTasks)
  const page = await context.newPage()
  await slowDown(page, rate, (rate - 1) * frame)
  await page.goto(link, { waitUntil: 'commit' })
  const isSeen = () => performance.getEntriesByName('selfsame:first-analysis').length > 0
  await page.waitForFunction(isSeen, undefined, { timeout: 120_000 })
  await page.waitForTimeout(watchedMilliseconds)
  const measured = await page.evaluate(() => {
    const first = performance.getEntriesByName('selfsame:first-analysis')[0]!.startTime
    const later = ({ startTime }: { startTime: number }) => startTime >= first
    return {
      first,
      pictures: performance.getEntriesByName('selfsame:frame').filter(later).length,
      seconds: (performance.now() - first) / 1000,
      tasks: window.longTasks.filter(later).map(({ duration }) => duration),
    }
  })
  await context.close()
  return {
    firstAnalysis: measured.first,
    picturesPerSecond: measured.pictures / measured.seconds,
    longestTask: Math.max(0, ...measured.tasks),
  }
}

declare global {
  interface Window {
    longTasks: { startTime: number; duration: number }[]
  }
}

/** The browser only reports tasks that take more than 50 ms. */
function noteLongTasks(): void {
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.longTasks.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
}

import type { Browser, BrowserContext, Page } from '@playwright/test'
import { installActor } from '../../../e2e/support/acted/actor.ts'
import type { Clip } from '../../../e2e/support/acted/clips.ts'
import { pageProcessMemory } from '../../../e2e/support/process-memory.ts'

/** The figures for one run of the bare loop. */
export interface LoopVisit {
  /** Bytes transferred until the first picture was analysed. */
  readonly bytes: number
  readonly firstAnalysis: number
  /** The milliseconds for each picture except the first few, which compile and warm up. */
  readonly durations: readonly number[]
  /** How much the private memory of the page's process grew between the first pictures and the last ones, if the system reports it. */
  readonly growth: number | undefined
}

const warmUpFrames = 20

/** Runs the loop until the given number of pictures has been analysed. */
export async function visitLoop(
  browser: Browser,
  address: string,
  clip: Clip,
  frames: number,
): Promise<LoopVisit> {
  const context = await openLoopContext(browser, clip)
  const page = await context.newPage()
  const files = await recordBytes(page)
  await page.goto(address, { waitUntil: 'commit' })
  await analysed(page, 1)
  const bytes = sumOf(files())
  await analysed(page, Math.min(frames, 5 * warmUpFrames))
  const before = await privateMemory(browser, page)
  await analysed(page, frames)
  const after = await privateMemory(browser, page)
  const firstAnalysis = await firstAnalysisOf(page)
  const durations = await page.evaluate(() =>
    performance.getEntriesByName('selfsame:frame').map(({ duration }) => duration),
  )
  await context.close()
  return {
    bytes,
    firstAnalysis,
    durations: durations.slice(warmUpFrames),
    growth: before === undefined || after === undefined ? undefined : after - before,
  }
}

/** Milliseconds until the first picture is analysed, in two visits on the same device. */
export interface Openings {
  readonly first: number
  readonly again: number
}

const meanwhileMilliseconds = 4000

/** The first visit continues analysing for a while, as a check does, so that the browser can store the code that it compiled. */
export async function openLoopTwice(browser: Browser, address: string, clip: Clip): Promise<Openings> {
  const context = await openLoopContext(browser, clip)
  const open = async (stays: number) => {
    const page = await context.newPage()
    await page.goto(address, { waitUntil: 'commit' })
    await analysed(page, 1)
    const opened = await firstAnalysisOf(page)
    await page.waitForTimeout(stays)
    await page.close()
    return opened
  }
  const openings = { first: await open(meanwhileMilliseconds), again: await open(0) }
  await context.close()
  return openings
}

/** [Note: The site serves the camera's pictures] Intercepting requests through the driver would disable the browser's cache. */
async function openLoopContext(browser: Browser, clip: Clip): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: 'block' })
  await installActor(context, clip, { manner: 'loop' })
  await context.unrouteAll()
  return context
}

function firstAnalysisOf(page: Page): Promise<number> {
  return page.evaluate(() => performance.getEntriesByName('selfsame:first-analysis')[0]!.startTime)
}

async function analysed(page: Page, frames: number): Promise<void> {
  await page.waitForFunction(
    (count) => performance.getEntriesByName('selfsame:frame').length >= count,
    frames,
    { timeout: 600_000, polling: 250 },
  )
}

export interface LoadedFile {
  readonly path: string
  readonly bytes: number
}

/** The transferred bytes of every file as counted by the browser, including workers. Cached files do not count. */
export async function recordBytes(page: Page): Promise<() => readonly LoadedFile[]> {
  const files: LoadedFile[] = []
  page.context().on('requestfinished', async (request) => {
    const path = new URL(request.url()).pathname
    if (request.method() !== 'GET' || path.startsWith('/__actor/')) return
    const sizes = await request.sizes().catch(() => undefined)
    // The driver does not report the size of a worker's own script, so its length is read from the response header.
    const answer = await request.response()
    if (answer?.fromServiceWorker()) return
    const announced = answer?.headers()['content-length']
    files.push({ path, bytes: sizes?.responseBodySize || Number(announced ?? 0) })
  })
  return () => [...files]
}

export function sumOf(files: readonly LoadedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Measured after collecting garbage in the page and in its worker. */
async function privateMemory(browser: Browser, page: Page): Promise<number | undefined> {
  for (const worker of page.workers()) await worker.evaluate(() => globalThis.gc?.())
  await page.evaluate(() => globalThis.gc?.())
  return pageProcessMemory(browser)
}

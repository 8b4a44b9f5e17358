import type { Browser, BrowserContext, Page } from '@playwright/test'
import { median, quantile } from '#lab/statistics/quantile.ts'
import { installActor } from '../../e2e/support/acted/actor.ts'
import { type Clip, hasFootage, loadClip, stillClip } from '../../e2e/support/acted/clips.ts'
import { createCheck, type Site, signLink } from '../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { startProduct, startReceiver } from '../../e2e/support/product.ts'
import { namesKeptBy } from '../../e2e/support/shelf.ts'
import { type LoadedFile, type Openings, recordBytes, sumOf } from './capture/loop-visit.ts'
import { benchLoops, briefly, type PageFigures } from './capture/loops.ts'
import { benchSlowDevices } from './capture/slow-devices.ts'

const visits = 3
/** Only a few pictures, so that opening the camera takes almost no time. */
const mostBrought = 6

/**
 * Measures the capture page on this machine over loopback, with an empty cache and one thread: the bytes and the time until the first frame is
 * analysed for face, landmarks, liveness and emotion, the time from the last frame to the verdict, and the start of a second visit with cached
 * files. Then measures the cost of a frame in the same loop as @vladmandic/human. All figures are medians over several visits.
 */
export async function benchCapture(): Promise<Record<string, number>> {
  const browser = await launchBrowser(['--js-flags=--expose-gc'])
  const clip = hasFootage ? await loadClip(browser, 'tranvanluyt2203_real.mp4') : await stillClip()
  const receiver = await startReceiver()
  const product = await startProduct({ CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp' })
  const site = { product, receiver }
  try {
    const verificationId = await createLookedAtCheck(site)
    const page = await measure(browser, site, verificationId, clip)
    const openOurs = () => visitTwice(browser, () => signLink(site, verificationId), briefly(clip))
    const slow = await benchSlowDevices(page['page.medianMsPerFrame']!, async () => ({
      context: await openContext(browser, briefly(clip)),
      link: await signLink(site, verificationId),
    }))
    return { ...page, ...slow, ...(await benchLoops(browser, clip, page, openOurs)) }
  } finally {
    await browser.close()
    await product.stop()
    await receiver.stop()
  }
}

/** A check that analyses the face, its liveness and its expression. */
function createLookedAtCheck(site: Site): Promise<string> {
  return createCheck(site, {
    liveness: { type: 'Verification', challengeType: 'Advanced' },
    emotion: { type: 'CalculationOnly', purpose: 'benchmark' },
  })
}

async function measure(
  browser: Browser,
  site: Site,
  verificationId: string,
  clip: Clip,
): Promise<PageFigures> {
  const openings: Visit[] = []
  const rounds: Visit[] = []
  for (let i = 0; i < visits; i++) {
    openings.push(await visitOnce(browser, await signLink(site, verificationId), briefly(clip), false))
    rounds.push(await visitOnce(browser, await signLink(site, verificationId), clip, true))
  }
  printFiles(openings[0]!.files)
  const frames = rounds.flatMap((round) => round.frames)
  const tracked = frames.filter(({ detail }) => detail.detection === undefined)
  printStages(tracked)
  const verdicts = rounds
    .map(({ lastFrameToVerdict }) => lastFrameToVerdict)
    .filter((value) => value !== undefined)
  return {
    visits,
    framesMeasured: tracked.length,
    brotliBytesToFirstAnalysis: median(openings.map(({ files }) => sumOf(files))),
    'page.medianMsPerFrame': median(tracked.map(({ duration }) => duration)),
    'page.p95MsPerFrame': quantile(
      tracked.map(({ duration }) => duration),
      0.95,
    ),
    ...(verdicts.length > 0 ? { lastFrameToVerdictMs: median(verdicts) } : {}),
  }
}

interface FrameFigure {
  duration: number
  detail: Record<string, number>
}

interface Visit {
  files: readonly LoadedFile[]
  frames: FrameFigure[]
  lastFrameToVerdict: number | undefined
}

async function visitOnce(browser: Browser, link: string, clip: Clip, toTheEnd: boolean): Promise<Visit> {
  const context = await openContext(browser, clip)
  const visit = await visitIn(context, link, toTheEnd)
  await context.close()
  return visit
}

/** The second of two visits on the same device, which finds its files in the cache. */
async function visitTwice(browser: Browser, newLink: () => Promise<string>, clip: Clip): Promise<Openings> {
  const context = await openContext(browser, clip)
  const visit = async (keeps: (page: Page) => Promise<void>) => {
    const page = await context.newPage()
    await page.goto(await newLink(), { waitUntil: 'commit' })
    const opened = await firstAnalysisOf(page)
    await keeps(page)
    await page.close()
    return opened
  }
  const first = await visit(async (page) => {
    while (!(await namesKeptBy(page)).includes('fr-eye')) await page.waitForTimeout(250)
  })
  const again = await visit(async () => {})
  await context.close()
  return { first, again }
}

async function firstAnalysisOf(page: Page): Promise<number> {
  await page.waitForFunction(
    () => performance.getEntriesByName('selfsame:first-analysis').length > 0,
    undefined,
    { timeout: 60_000 },
  )
  return page.evaluate(() => performance.getEntriesByName('selfsame:first-analysis')[0]!.startTime)
}

async function openContext(browser: Browser, clip: Clip): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: 'allow' })
  await installActor(context, clip, { manner: 'asked', brings: clip.frames.length <= mostBrought })
  await context.addInitScript(agreeAtOnce)
  return context
}

async function visitIn(context: BrowserContext, link: string, toTheEnd: boolean): Promise<Visit> {
  const page = await context.newPage()
  const files = await recordBytes(page)
  await page.goto(link, { waitUntil: 'commit' })
  await firstAnalysisOf(page)
  const loaded = files()
  if (toTheEnd)
    await page
      .waitForSelector('[data-state="passed"], [data-state="notCompleted"]', { timeout: 60_000 })
      .catch(() => undefined)
  const marks = await page.evaluate(readMarks)
  return { files: loaded, ...marks }
}

/** A visitor who agrees to everything: presses every button as soon as it appears. */
function agreeAtOnce(): void {
  const pressed = new Set<string>()
  new MutationObserver(() => {
    const state = document.querySelector('[data-state]')?.getAttribute('data-state') ?? ''
    if ((state !== 'consent' && state !== 'ready') || pressed.has(state)) return
    const name = state === 'consent' ? 'Agree and continue' : 'Start camera'
    const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
      textContent?.includes(name),
    )
    if (button === undefined) return
    pressed.add(state)
    button.click()
  }).observe(document, { subtree: true, childList: true, attributes: true })
}

function readMarks() {
  const at = (name: string) => performance.getEntriesByName(name).at(-1)?.startTime
  const last = at('selfsame:last-frame')
  const verdict = at('selfsame:verdict')
  const frames = performance.getEntriesByName('selfsame:frame').map((entry) => ({
    duration: entry.duration,
    detail: ((entry as PerformanceMeasure).detail as { durations: Record<string, number> }).durations,
  }))
  return {
    frames,
    lastFrameToVerdict: last === undefined || verdict === undefined ? undefined : verdict - last,
  }
}

function printFiles(files: readonly LoadedFile[]): void {
  console.log('Bytes on the wire until the first analysed frame')
  for (const { path, bytes } of [...files].sort((a, b) => b.bytes - a.bytes)) {
    console.log(`  ${bytes.toLocaleString('en-GB').padStart(10)}  ${path}`)
  }
}

function printStages(frames: readonly FrameFigure[]): void {
  const stages = new Set(frames.flatMap(({ detail }) => Object.keys(detail)))
  const whole = median(frames.map(({ duration }) => duration))
  console.log(`Stages of a tracked frame (median of ${frames.length})`)
  for (const stage of stages) {
    const value = median(frames.map(({ detail }) => detail[stage] ?? 0))
    console.log(
      `  ${stage.padEnd(12)} ${value.toFixed(1).padStart(6)} ms  ${((100 * value) / whole).toFixed(0)} %`,
    )
  }
}

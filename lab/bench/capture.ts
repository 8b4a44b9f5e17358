import type { Browser, BrowserContext } from '@playwright/test'
import { median, quantile } from '#lab/evaluate/statistics/quantile.ts'
import { installActor } from '../../e2e/support/acted/actor.ts'
import { type Clip, hasFootage, loadClip, stillClip } from '../../e2e/support/acted/clips.ts'
import { createCheck, type Site, signLink } from '../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { startProduct, startReceiver } from '../../e2e/support/product.ts'
import { namesKeptBy } from '../../e2e/support/shelf.ts'
import { type LoadedFile, recordBytes, sumOf } from './capture/loop-visit.ts'
import { benchLoops } from './capture/loops.ts'

const visits = 3

/**
 * The capture page on this machine, over loopback, with an empty cache and one thread: what is loaded until the first
 * frame with face, landmarks, liveness and emotion is analysed, how long that takes, how long the verdict takes after
 * the last frame, and how soon a second visit begins, whose files the device has kept; then what a frame costs, beside
 * @vladmandic/human in the same loop. Medians of several visits.
 */
export async function benchCapture(): Promise<Record<string, number>> {
  const browser = await launchBrowser(['--js-flags=--expose-gc'])
  const clip = hasFootage ? await loadClip(browser, 'tranvanluyt2203_real.mp4') : await stillClip()
  const receiver = await startReceiver()
  const product = await startProduct({ CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp' })
  const site = { product, receiver }
  try {
    const page = await measure(browser, site, clip)
    return { ...page, ...(await benchLoops(browser, clip, page)) }
  } finally {
    await browser.close()
    await product.stop()
    await receiver.stop()
  }
}

/** What the product's own page showed. */
export type PageFigures = Record<'brotliBytesToFirstAnalysis' | 'msToFirstAnalysis', number> &
  Record<string, number>

async function measure(browser: Browser, site: Site, clip: Clip): Promise<PageFigures> {
  const verificationId = await createCheck(site, {
    liveness: { type: 'Verification', challengeType: 'Advanced' },
    emotion: { type: 'CalculationOnly', purpose: 'benchmark' },
  })
  const openings: Visit[] = []
  const rounds: Visit[] = []
  const again: Visit[] = []
  for (let i = 0; i < visits; i++) {
    openings.push(await visitOnce(browser, await signLink(site, verificationId), briefly(clip), false))
    rounds.push(await visitOnce(browser, await signLink(site, verificationId), clip, true))
    again.push(await visitTwice(browser, () => signLink(site, verificationId), briefly(clip)))
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
    msToFirstAnalysis: median(openings.map(({ firstAnalysis }) => firstAnalysis)),
    brotliBytesToFirstAnalysisAgain: median(again.map(({ files }) => sumOf(files))),
    msToFirstAnalysisAgain: median(again.map(({ firstAnalysis }) => firstAnalysis)),
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
  firstAnalysis: number
  frames: FrameFigure[]
  lastFrameToVerdict: number | undefined
}

/** A camera that costs next to nothing to open: a few frontal frames. */
function briefly(clip: Clip): Clip {
  return { ...clip, frames: clip.frames.slice(0, 6), segments: [] }
}

async function visitOnce(browser: Browser, link: string, clip: Clip, toTheEnd: boolean): Promise<Visit> {
  const context = await openContext(browser, clip)
  const visit = await visitIn(context, link, toTheEnd)
  await context.close()
  return visit
}

/** The second of two visits on one device; the first has kept its files by then. */
async function visitTwice(browser: Browser, newLink: () => Promise<string>, clip: Clip): Promise<Visit> {
  const context = await openContext(browser, clip)
  const first = await context.newPage()
  await first.goto(await newLink())
  while (!(await namesKeptBy(first)).includes('fr-eye')) await first.waitForTimeout(250)
  await first.close()
  const visit = await visitIn(context, await newLink(), false)
  await context.close()
  return visit
}

async function openContext(browser: Browser, clip: Clip): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: 'allow' })
  await installActor(context, clip, { manner: 'asked' })
  await context.addInitScript(agreeAtOnce)
  return context
}

async function visitIn(context: BrowserContext, link: string, toTheEnd: boolean): Promise<Visit> {
  const page = await context.newPage()
  const files = await recordBytes(page)
  await page.goto(link, { waitUntil: 'commit' })
  await page.waitForFunction(
    () => performance.getEntriesByName('selfsame:first-analysis').length > 0,
    undefined,
    {
      timeout: 60_000,
    },
  )
  const loaded = files()
  const firstAnalysis = await page.evaluate(
    () => performance.getEntriesByName('selfsame:first-analysis')[0]!.startTime,
  )
  if (toTheEnd)
    await page
      .waitForSelector('[data-state="passed"], [data-state="notCompleted"]', { timeout: 60_000 })
      .catch(() => undefined)
  const marks = await page.evaluate(readMarks)
  return { files: loaded, firstAnalysis, ...marks }
}

/** The visitor who has agreed before: every button of the way is pressed the moment it appears. */
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

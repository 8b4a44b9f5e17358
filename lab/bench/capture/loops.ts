import type { Browser } from '@playwright/test'
import { median, quantile } from '#lab/statistics/quantile.ts'
import type { Clip } from '../../../e2e/support/acted/clips.ts'
import { type LoopVisit, type Openings, openLoopTwice, visitLoop } from './loop-visit.ts'
import { type LoopSite, startLoopSite } from './site.ts'

const rounds = 3
const framesARound = 120
const framesForMemory = Number(process.env.BENCH_MEMORY_FRAMES ?? 700)

/** Figures for the product's own page. */
export type PageFigures = Record<'brotliBytesToFirstAnalysis', number> & Record<string, number>

/** The questions that the capture page asks about each picture, and the same ones plus a face code, age and gender. */
const questions = {
  light: { liveness: 'light', expression: 'light' },
  whole: { liveness: 'light', expression: 'light', embedding: true, demographic: 'light' },
} as const
type Scope = keyof typeof questions
type LoopSide = 'ours' | 'human'

/**
 * Runs both workers in the same bare loop, alternating so that other load on this machine affects both: the cost per picture, and how much the
 * page's process grows over about 600 pictures. For the first analysis, both on a first and on a second visit, compares the product's entire page
 * with the rival's bare one. `openOurs` opens the product's page twice, alternating with the rival's.
 */
export async function benchLoops(
  browser: Browser,
  clip: Clip,
  page: PageFigures,
  openOurs: () => Promise<Openings>,
): Promise<Record<string, number>> {
  const site = await startLoopSite(clip)
  try {
    const run = createRuns(browser, site, clip)
    for (const whose of ['ours', 'human'] as const) await run('light', whose, 1) // caches the compressed files
    for (const whose of ['ours', 'human'] as const) await run('whole', whose, 1)
    run.forget()
    const openings = { ours: [] as Openings[], human: [] as Openings[] }
    for (let round = 0; round < rounds; round++) {
      openings.ours.push(await openOurs())
      openings.human.push(await openLoopTwice(browser, site.address('human', questions.light), briefly(clip)))
    }
    for (let round = 0; round < rounds; round++) {
      for (const scope of ['light', 'whole'] as const) {
        for (const whose of ['ours', 'human'] as const) await run(scope, whose, framesARound)
      }
    }
    const memory = {
      ours: await run('light', 'ours', framesForMemory),
      human: await run('light', 'human', framesForMemory),
    }
    return { ...figuresOf(run.visits, memory, page), ...openingFigures(openings) }
  } finally {
    await site.stop()
  }
}

type Visits = Record<Scope, Record<LoopSide, LoopVisit[]>>

function createRuns(browser: Browser, site: LoopSite, clip: Clip) {
  const none = (): Visits => ({ light: { ours: [], human: [] }, whole: { ours: [], human: [] } })
  const run = Object.assign(
    async (scope: Scope, whose: LoopSide, frames: number) => {
      const visit = await visitLoop(browser, site.address(whose, questions[scope]), clip, frames)
      run.visits[scope][whose].push(visit)
      if (frames > 1)
        console.log(`${whose}, ${scope}: ${median(visit.durations).toFixed(1)} ms per picture over ${frames}`)
      return visit
    },
    {
      visits: none(),
      forget() {
        run.visits = none()
      },
    },
  )
  return run
}

function figuresOf(
  { light, whole }: Visits,
  memory: Record<LoopSide, LoopVisit>,
  page: PageFigures,
): Record<string, number> {
  const ours = costOf(light.ours)
  const human = costOf(light.human)
  const oursWhole = costOf(whole.ours)
  const humanWhole = costOf(whole.human)
  const bytes = page.brotliBytesToFirstAnalysis
  // The page's own bytes, plus the bytes that its worker loads to create a face code.
  const wholeBytes = bytes + oursWhole.bytes - ours.bytes
  return {
    medianMsPerFrame: ours.median,
    p95MsPerFrame: ours.p95,
    ...growthOf('memoryGrowthBytes', memory.ours),
    'human.brotliBytesToFirstAnalysis': human.bytes,
    'human.medianMsPerFrame': human.median,
    'human.p95MsPerFrame': human.p95,
    ...growthOf('human.memoryGrowthBytes', memory.human),
    ratioBytesToHuman: bytes / human.bytes,
    ratioMsPerFrameToHuman: ours.median / human.median,
    'loop.msToFirstAnalysis': ours.first,
    'whole.brotliBytesToFirstAnalysis': wholeBytes,
    'whole.medianMsPerFrame': oursWhole.median,
    'humanWhole.brotliBytesToFirstAnalysis': humanWhole.bytes,
    'humanWhole.medianMsPerFrame': humanWhole.median,
    ratioBytesToHumanWhole: wholeBytes / humanWhole.bytes,
    ratioMsPerFrameToHumanWhole: oursWhole.median / humanWhole.median,
  }
}

/** A few frontal frames, so that opening the camera takes almost no time. */
export function briefly(clip: Clip): Clip {
  return { ...clip, frames: clip.frames.slice(0, 6), segments: [] }
}

function openingFigures({ ours, human }: Record<LoopSide, Openings[]>): Record<string, number> {
  const medianOf = (openings: readonly Openings[], which: keyof Openings) =>
    median(openings.map((opening) => opening[which]))
  return {
    msToFirstAnalysis: medianOf(ours, 'first'),
    msToFirstAnalysisAgain: medianOf(ours, 'again'),
    'human.msToFirstAnalysis': medianOf(human, 'first'),
    'human.msToFirstAnalysisAgain': medianOf(human, 'again'),
    ratioMsToFirstToHuman: medianOf(ours, 'first') / medianOf(human, 'first'),
    ratioMsSecondToHuman: medianOf(ours, 'again') / medianOf(human, 'again'),
  }
}

function costOf(visits: readonly LoopVisit[]) {
  const durations = visits.flatMap((visit) => visit.durations)
  return {
    bytes: median(visits.map(({ bytes }) => bytes)),
    first: median(visits.map(({ firstAnalysis }) => firstAnalysis)),
    median: median(durations),
    p95: quantile(durations, 0.95),
  }
}

function growthOf(name: string, { growth }: LoopVisit): Record<string, number> {
  return growth === undefined ? {} : { [name]: growth }
}

import type { Browser } from '@playwright/test'
import { Figures, flatten } from '#lab/evaluate/figures.ts'
import { printFigures } from '#lab/evaluate/print.ts'
import { median } from '#lab/statistics/quantile.ts'
import type { Clip } from '../../../e2e/support/acted/clips.ts'
import { watchFilm } from '../../../e2e/support/acted/filmed.ts'
import { openActed, type Site, signLink } from '../../../e2e/support/acted/scenario.ts'
import { type Moment, runsOf, seenOn, watchScreens } from '../../../e2e/support/acted/witness.ts'
import { slowDown } from '../../../e2e/support/slow-device.ts'
import { finish, onStage } from './stage.ts'

const rates = [1, 4, 6] as const
/** How often each person visits on each device. Use `SLOW_ROUNDS=5` for the long version. */
const rounds = Number(process.env.SLOW_ROUNDS ?? 2)
/** Less than half the size in the film, so that the page asks the person to come closer. */
const place = { size: 0.4, right: 0, down: 0 } as const

/** The measurements for a visit. All times are in milliseconds. */
interface Visit {
  readonly passed: boolean
  readonly took: number
  /** From the camera's first picture to the first hint. NaN if there was none. */
  readonly firstHint: number
  readonly perSecond: number
  /** The film's pictures per second, and its longest gap. */
  readonly filmPerSecond: number
  readonly filmGap: number
  /** How often the page waited for a button to be pressed. */
  readonly stops: number
}

/**
 * `npm run bench -- slow`: people who are too far away go through the built page on devices that are 4 and 6 times slower than this machine. Reports
 * when the first hint appears, how many pictures per second are analysed and how many are in the film (for the visit with the fewest), and whether
 * the visit passes within its time limits.
 */
export async function benchSlow(): Promise<Record<string, number>> {
  return onStage('Balanced', async ({ browser, site, check, clips }) => {
    const figures = new Figures()
    for (const rate of rates) {
      const visits: Visit[] = []
      for (let round = 0; round < rounds; round++)
        for (const clip of clips) visits.push(await visit(browser, site, check, clip, rate))
      add(figures, `${rate}x`, visits)
    }
    printFigures('slow', figures, console.log)
    return flatten('slow', figures)
  })
}

async function visit(browser: Browser, site: Site, check: string, clip: Clip, rate: number): Promise<Visit> {
  const link = await signLink(site, check)
  const acting = { manner: 'asked', place } as const
  const { context, page } = await openActed(browser, link, clip, acting, 'block', watchScreens)
  await slowDown(page, rate)
  const film = watchFilm(page)
  const { passed, took } = await finish(page, 240_000)
  const moments = await seenOn(page)
  const frames = await page.evaluate(() =>
    performance.getEntriesByName('selfsame:frame').map(({ startTime }) => startTime),
  )
  await context.close()
  process.stderr.write(`${rate}x: ${passed ? 'passed' : 'not passed'} in ${took} ms\n`)
  const filmed = { filmPerSecond: film.perSecond(), filmGap: film.longestGap() }
  return { passed, took, perSecond: perSecondOf(frames), ...filmed, ...readOff(moments) }
}

/** Based on the median gap, so that a single long pause for loading does not distort the rate. */
function perSecondOf(frames: readonly number[]): number {
  return 1000 / median(frames.slice(1).map((at, i) => at - frames[i]!))
}

function readOff(moments: readonly Moment[]): Pick<Visit, 'firstHint' | 'stops'> {
  const began = moments.find(({ state }) => state === 'align')
  const hinted = moments.find(({ hint }) => hint !== null && hint !== 'moveSlowly')
  const stops = runsOf(moments, ({ state }) => state).filter(
    ([first]) => first!.state === 'paused' || first!.state === 'retake',
  )
  return {
    firstHint: began && hinted ? hinted.at - began.at : Number.NaN,
    stops: stops.length,
  }
}

function add(figures: Figures, name: string, visits: readonly Visit[]): void {
  const n = visits.length
  figures.rate(`${name}.passed`, visits.filter(({ passed }) => passed).length, n)
  figures.add(`${name}.visitMs`, median(visits.map(({ took }) => took)), n)
  figures.add(`${name}.firstHintMs`, median(visits.map(({ firstHint }) => firstHint)), n)
  figures.add(`${name}.picturesPerSecond`, median(visits.map(({ perSecond }) => perSecond)), n)
  figures.add(`${name}.leastFilmPerSecond`, Math.min(...visits.map(({ filmPerSecond }) => filmPerSecond)), n)
  figures.add(`${name}.filmGapMs`, median(visits.map(({ filmGap }) => filmGap)), n)
  figures.count(
    `${name}.stops`,
    visits.reduce((all, { stops }) => all + stops, 0),
    n,
  )
}

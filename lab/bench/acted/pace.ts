import type { Browser } from '@playwright/test'
import { Figures, flatten } from '#lab/evaluate/figures.ts'
import { printFigures } from '#lab/evaluate/print.ts'
import { median } from '#lab/statistics/quantile.ts'
import type { Pace } from '../../../e2e/support/acted/acting.ts'
import type { Clip } from '../../../e2e/support/acted/clips.ts'
import { openActed, type Site, signLink } from '../../../e2e/support/acted/scenario.ts'
import { type Moment, runsOf, seenOn, watchScreens } from '../../../e2e/support/acted/witness.ts'
import { finish, onStage } from './stage.ts'
import { type VisitTimesOptions, visitTimes } from './visit-times.ts'

/** How often each person visits at each pace. Use `PACE_ROUNDS=5` for the long version. */
const rounds = Number(process.env.PACE_ROUNDS ?? 2)
const kinds = ['hurried', 'slow', 'human'] as const satisfies readonly Pace[]

/** An instruction as it was shown on the page. All times are in milliseconds. */
export interface Instruction {
  /** How long the instruction was shown before the action was performed. */
  readonly shown: number
  /** How long it took for the clock to start counting down. Null if the action was performed earlier. */
  readonly untilClock: number | null
  /** How long "Done" was shown afterwards. */
  readonly doneShown: number
  /** How long the person had already been looking straight ahead when the next instruction appeared. */
  readonly straightBefore: number
}

/** The outcome of a single visit. */
interface Visit {
  readonly instructions: readonly Instruction[]
  readonly milliseconds: number
  readonly passed: boolean
}

/**
 * `npm run bench -- pace`: times of whole visits, and nothing else with `--only`. Then the built page asks for three actions from people who hurry
 * (0.3 s to react, 0.3 s to come back), people who take their time (1.0 and 0.8), and people in between. Reports how long each instruction was
 * shown, and the pause before the next one.
 */
export async function benchPace(options: VisitTimesOptions): Promise<Record<string, number>> {
  const times = await visitTimes(options)
  if (options.only !== undefined) return times
  return onStage('Advanced', async ({ browser, site, check, clips }) => {
    const figures = new Figures()
    const rows: (string | number)[][] = []
    for (const pace of kinds) {
      const visits: Visit[] = []
      for (let round = 0; round < rounds; round++)
        for (const clip of clips) visits.push(await visit(browser, site, check, clip, pace))
      rows.push(rowOf(pace, visits))
      figures.rate(`${pace}.passed`, visits.filter(({ passed }) => passed).length, visits.length)
      const took = visits.flatMap(({ passed, milliseconds }) => (passed ? [milliseconds] : []))
      figures.add(`${pace}.visitMs`, median(took), took.length)
    }
    figures.table({
      title: 'Seconds, the median of all instructions (for straight also the least)',
      columns: [
        'person',
        'instructions',
        'stood',
        'clock ran after',
        '"Done" stood',
        'straight before the next',
      ],
      rows,
    })
    printFigures('pace', figures, console.log)
    return { ...times, ...flatten('pace', figures) }
  })
}

async function visit(browser: Browser, site: Site, check: string, clip: Clip, pace: Pace): Promise<Visit> {
  const link = await signLink(site, check)
  const { context, page } = await openActed(
    browser,
    link,
    clip,
    { manner: 'asked', pace },
    'block',
    watchScreens,
  )
  const { passed, took: milliseconds } = await finish(page)
  const instructions = instructionsIn(await seenOn(page))
  await context.close()
  process.stderr.write(`${pace}: ${passed ? 'passed' : 'not passed'} in ${milliseconds} ms\n`)
  return { instructions: instructions, milliseconds, passed }
}

/** All completed instructions in a visit, with the time until the next one. */
export function instructionsIn(moments: readonly Moment[]): Instruction[] {
  const runs = runsOf(moments, ({ state, step }) => `${state} ${step}`)
  return runs.flatMap((run, i) => {
    const [[instruction], [done] = [], [next] = []] = [run, runs[i + 1], runs[i + 2]]
    if (instruction!.state !== 'action' || done?.state !== 'done' || next === undefined) return []
    const startsAt = instruction!.at
    const counted = run.find(({ seconds }) => seconds !== null && seconds < instruction!.seconds!)
    return [
      {
        shown: done.at - startsAt,
        untilClock: counted === undefined ? null : counted.at - startsAt,
        doneShown: next.at - done.at,
        straightBefore: next.at - straightSince(moments, next),
      },
    ]
  })
}

/** When the person started looking straight ahead, as seen from a given moment, or the moment itself if they were not. */
function straightSince(moments: readonly Moment[], moment: Moment): number {
  const before = moments.slice(0, moments.indexOf(moment) + 1)
  const lastTurned = before.findLastIndex(({ isStraight }) => !isStraight)
  return before[lastTurned + 1]?.at ?? moment.at
}

function rowOf(pace: Pace, visits: readonly Visit[]): (string | number)[] {
  const instructions = visits.flatMap((one) => one.instructions)
  const seconds = (values: readonly number[]) => (median(values) / 1000).toFixed(2)
  const straight = instructions.map(({ straightBefore }) => straightBefore)
  return [
    pace,
    instructions.length,
    seconds(instructions.map(({ shown }) => shown)),
    seconds(instructions.flatMap(({ untilClock }) => untilClock ?? [])),
    seconds(instructions.map(({ doneShown }) => doneShown)),
    `${seconds(straight)} (${(Math.min(...straight) / 1000).toFixed(2)})`,
  ]
}

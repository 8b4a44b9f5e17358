import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { Figures, flatten } from '#lab/evaluate/figures.ts'
import { printFigures } from '#lab/evaluate/print.ts'
import { needFootage } from '#lab/footage.ts'
import { median } from '#lab/statistics/quantile.ts'
import type { Clip } from '../../../e2e/support/acted/clips.ts'
import { loadPeople, type Person } from '../../../e2e/support/acted/people.ts'
import type { Place } from '../../../e2e/support/acted/place.ts'
import {
  begin,
  comeBack,
  createCheck,
  openActed,
  type Site,
  signLink,
} from '../../../e2e/support/acted/scenario.ts'
import { type Moment, seenOn, watchScreens } from '../../../e2e/support/acted/witness.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import { startProduct, startReceiver } from '../../../e2e/support/product.ts'
import { turnsTheHead } from '../../../models/rules/challenge/movement.ts'
import type { AnalysisService } from '../../../server/features/analysis/analysis-service.ts'
import { openRealAnalysis } from '../../../tests/support/real-analysis.ts'
import { countHints, type HintCount, type TrueFace } from './contradictions.ts'
import { goThrough } from './living.ts'

/** The face's initial width, as a share of the picture's shorter side. */
const distances = { far: 0.17, usual: 0.38, near: 0.85 } as const
type Distance = keyof typeof distances
const lights = { usual: 1, dim: 0.4 } as const
type Light = keyof typeof lights
const mostTries = 3

/** The part of a visit that is stored between runs. It contains no names. */
interface Visit extends HintCount {
  readonly key: string
  readonly distance: Distance
  readonly light: Light
  readonly passed: boolean
  /** The reasons for each try that did not pass. */
  readonly refusals: readonly string[]
  /** From starting the camera to the verdict, in the last try. */
  readonly milliseconds: number
}

export interface EverybodyOptions {
  readonly people?: string | undefined
  readonly fresh?: boolean | undefined
  /** Limits the run to one distance and one light, such as `usual/usual`. */
  readonly only?: string | undefined
}

const kept = join('.cache', 'bench-everybody.jsonl')

/**
 * `npm run bench -- everybody`: every living person whose clips contain actions goes through the built page from three distances in two lights,
 * following its hints. Counts how many people finish within three tries, and all hints that the picture contradicts. Skips visits from earlier
 * runs unless `fresh` is set.
 */
export async function benchEverybody({
  people = '100',
  fresh = false,
  only = '',
}: EverybodyOptions): Promise<Record<string, number>> {
  needFootage('Krzysiek354_real.webm')
  if (fresh) await rm(kept, { force: true })
  await mkdir('.cache', { recursive: true })
  const visits = existsSync(kept) ? await readVisits() : []
  const browser = await launchBrowser()
  const analysis = await openRealAnalysis()
  const everyone = await loadPeople(browser)
  // The distance is simulated by moving the face, so coming closer to a drawn size is left to `perspective` and its tests. People who never turn
  // their head in a clip cannot perform the turn that every visit requests.
  const acting = [...everyone.entries()].filter(([, { actions }]) => actions.some(turnsTheHead))
  const mostFirst = acting.sort(([, a], [, b]) => b.actions.length - a.actions.length)
  const chosen = mostFirst.slice(0, Number(people))
  for (const [index, person] of chosen)
    visits.push(
      ...(await visitsOf(browser, analysis, person, index, new Set(visits.map(({ key }) => key)), only)),
    )
  await browser.close()
  const indices = new Set(chosen.map(([index]) => index))
  return report(visits.filter(({ key }) => indices.has(Number(key.split('/')[0]))))
}

async function readVisits(): Promise<Visit[]> {
  return (await readFile(kept, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Runs a person's missing visits. Each one is saved as soon as it is over. */
async function visitsOf(
  browser: Browser,
  analysis: AnalysisService,
  person: Person,
  index: number,
  made: ReadonlySet<string>,
  only: string,
): Promise<Visit[]> {
  const wanted = (Object.keys(lights) as Light[]).flatMap((light) =>
    (Object.keys(distances) as Distance[]).map((distance) => ({
      key: `${index}/${distance}/${light}`,
      distance,
      light,
    })),
  )
  const missing = wanted.filter(({ key }) => !made.has(key) && key.endsWith(only))
  if (missing.length === 0) return []
  const face = await faceIn(analysis, person.clip)
  if (face === undefined) return []
  const receiver = await startReceiver()
  const product = await startProduct({ CHALLENGE_ACTIONS: person.actions.join(','), LOG_LEVEL: 'silent' })
  const site = { product, receiver }
  const check = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
  const visits: Visit[] = []
  for (const one of missing) {
    const visit: Visit = { ...one, ...(await visitFrom(browser, site, check, person.clip, face, one)) }
    await appendFile(kept, `${JSON.stringify(visit)}\n`)
    visits.push(visit)
    const { refusals, wrong, passed, milliseconds } = visit
    process.stderr.write(
      `${one.key} ${person.actions.join('+')}: ${passed ? 'passed' : 'not'} ${milliseconds} ms ${refusals.join(' | ')} ${JSON.stringify(wrong)}\n`,
    )
  }
  await product.stop()
  await receiver.stop()
  return visits
}

/**
 * The position of the face while the person looks straight ahead, based on the server's own analysis of whole pictures. Undefined if no face is
 * found.
 */
async function faceIn(analysis: AnalysisService, { frames, framesPerSecond, segments }: Clip) {
  const { startSeconds, endSeconds } = segments.find(({ action }) => action === 'frontal')!
  const mid = Math.round(((startSeconds + endSeconds) / 2) * framesPerSecond)
  const picture = await readFile(frames[Math.min(mid, frames.length - 1)]!)
  const { signal } = new AbortController()
  const seen = await analysis.analyse(picture, { group: 'otherwise' }, { accountId: 'bench', signal })
  if (seen.face === undefined) return undefined
  const { width, height, face } = seen
  const short = Math.min(width, height)
  const { box } = face
  return {
    width: box.width / short,
    height: box.height / short,
    x: (box.x + box.width / 2 - width / 2) / short,
    y: (box.y + box.height / 2 - height / 2) / short,
    aspect: width / height,
  } satisfies TrueFace
}

/** Makes up to three tries, each starting from the position in which the previous one ended. */
async function visitFrom(
  browser: Browser,
  site: Site,
  check: string,
  clip: Clip,
  face: TrueFace,
  { distance, light }: { readonly distance: Distance; readonly light: Light },
) {
  const refusals: string[] = []
  const seen: Moment[] = []
  let place: Place = { size: distances[distance] / face.width, right: 0, down: 0 }
  let milliseconds = 0
  let passed = false
  while (!passed && refusals.length < mostTries) {
    const acting = { manner: 'asked', gain: lights[light], place } as const
    const link = await signLink(site, check)
    const { context, page } = await openActed(browser, link, clip, acting, 'block', watchScreens)
    const figuresBefore = await site.product.sessionFigures()
    const startedAt = Date.now()
    const lost = new Promise<never>((_, refuse) => page.on('crash', () => refuse(new Error('crashed'))))
    const outcome = await Promise.race([lost, begin(page).then(() => goThrough(page))]).catch(
      (error: Error) => error,
    )
    milliseconds = Date.now() - startedAt
    const moments = await Promise.race([lost, seenOn(page)]).catch(() => [])
    place = moments.at(-1)?.place ?? place
    seen.push(...moments)
    const refused =
      outcome instanceof Error
        ? `notFinished:${moments.at(-1)?.state}`
        : await refusalOf(site, page, figuresBefore)
    passed = refused === null
    if (refused !== null) refusals.push(refused)
    await context.close()
  }
  return { passed, refusals, milliseconds, ...countHints(seen, face, light === 'usual') }
}

/** Why the visit did not pass, including its findings. Null if it passed. */
async function refusalOf(site: Site, page: Page, figuresBefore: readonly string[]): Promise<string | null> {
  const { returned, result } = await comeBack(site, page)
  if (returned === 'passed') return null
  const news = (await site.product.sessionFigures()).filter((line) => !figuresBefore.includes(line))
  const findings = news.flatMap((line) => /findings_total\{.*="(\w+)"/.exec(line)?.[1] ?? [])
  return [...result.verificationFailedReasons, ...findings].join('+')
}

function report(visits: readonly Visit[]): Record<string, number> {
  const figures = new Figures()
  const rows: (string | number)[][] = []
  for (const light of Object.keys(lights) as Light[]) {
    for (const distance of Object.keys(distances) as Distance[]) {
      const own = visits.filter((one) => one.light === light && one.distance === distance)
      const name = `${distance}.${light}`
      figures.rate(`${name}.finished`, own.filter(({ passed }) => passed).length, own.length)
      figures.rate(
        `${name}.atFirst`,
        own.filter(({ passed, refusals }) => passed && refusals.length === 0).length,
        own.length,
      )
      const took = own.flatMap(({ passed, milliseconds }) => (passed ? [milliseconds] : []))
      figures.add(`${name}.tryMs`, median(took), took.length)
      for (const refusal of new Set(own.flatMap(({ refusals }) => refusals)))
        rows.push([
          name,
          refusal,
          own.flatMap(({ refusals }) => refusals).filter((one) => one === refusal).length,
        ])
    }
  }
  figures.rate('finished', visits.filter(({ passed }) => passed).length, visits.length)
  figures.table({ title: 'Tries that did not pass', columns: ['from', 'why', 'tries'], rows })
  const hints = [...new Set(visits.flatMap(({ shown }) => Object.keys(shown)))].sort()
  const sum = (of: 'shown' | 'wrong', hint: string) =>
    visits.reduce((all, one) => all + (one[of][hint] ?? 0), 0)
  figures.table({
    title: 'Hints, and how often the picture contradicted them',
    columns: ['hint', 'shown', 'contradicted'],
    rows: hints.map((hint) => [hint, sum('shown', hint), sum('wrong', hint)]),
  })
  const total = (of: 'shown' | 'wrong') => hints.reduce((all, hint) => all + sum(of, hint), 0)
  figures.rate('hintsContradicted', total('wrong'), total('shown'))
  const people = new Set(visits.map(({ key }) => key.split('/')[0])).size
  figures.note(`${people} people: the intervals are those of visits, not of people.`)
  printFigures('everybody', figures, console.log)
  return flatten('everybody', figures)
}

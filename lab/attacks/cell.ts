import { showProgress } from '#lab/progress.ts'
import { type Product, startProduct } from '../../e2e/support/product.ts'
import { mapConcurrent } from '../../shared/concurrency/map-concurrent.ts'
import { Problem } from '../../shared/problem.ts'
import type { Subject } from './forgery.ts'
import { type Attempt, isAssured, type Method, type Plan, type Way } from './methods/method.ts'
import { attemptLimit, type Sessions } from './rates.ts'
import { sessionOf } from './seeds.ts'

/** A combination of an instrument, a method and a challenge. */
export interface Cell {
  readonly instrument: string
  readonly method: Method
  readonly plan: Plan
  /** The number of concurrent sessions. */
  readonly atOnce: number
  readonly subjects: readonly Subject[]
  /** Seeds the random part of the pictures in each session. */
  readonly seed: number
  /** The number of sessions that count per person. */
  readonly sessions: number
  /** True to keep trying for people who never pass, until the link's attempt limit is reached. */
  readonly untilClosed: boolean
}

export interface CellResult {
  /** The results of the sessions that count, as one list per person. */
  readonly counted: readonly Sessions[]
  /** For each of these sessions, whether it passed with at least `standard` assurance. */
  readonly assured: readonly Sessions[]
  /** For each of these sessions, whether it led to `high`. Undefined if the method has no passkeys. */
  readonly atHigh?: readonly Sessions[]
  /** The counted sessions, plus all the further sessions that a link allows for people who never passed. */
  readonly tried: readonly Sessions[]
  /** How many times each finding and each step outcome occurred. */
  readonly findings: Readonly<Record<string, number>>
}

/** Runs a cell against a fresh server, so that its memory contains no pictures from other cells. */
export async function measure(cell: Cell, settings: Record<string, string>): Promise<CellResult> {
  const product = await startProduct({ ...settings, ...(await cell.method.settings?.()) })
  try {
    const way = await cell.method.open(product, cell.plan)
    try {
      return await runAll(cell, way, product)
    } finally {
      await way.close()
    }
  } finally {
    await product.stop()
  }
}

async function runAll(cell: Cell, way: Way, product: Product): Promise<CellResult> {
  const { subjects, sessions, method, seed } = cell
  const label = `${cell.instrument} ${method.name} ${cell.plan.challenge}`
  const progress = showProgress(label, subjects.length)
  const tried = subjects.map((): boolean[] => [])
  const assured = subjects.map((): boolean[] => [])
  const atHigh = subjects.map((): boolean[] => [])
  const ends: Record<string, number> = {}
  await mapConcurrent(subjects, cell.atOnce, async (subject, index) => {
    const own = tried[index]!
    while (own.length < sessions || (cell.untilClosed && own.length < attemptLimit && !own.includes(true))) {
      const session = own.length
      const again = () => subject.forge(sessionOf(seed, attemptLimit + session))
      const attempt = await attempted(() => way.attempt(subject.forge(sessionOf(seed, session)), again))
      own.push(attempt.passed)
      assured[index]!.push(isAssured(attempt))
      atHigh[index]!.push(attempt.leadsToHigh === true)
      for (const reason of attempt.reasons.filter(isNoVerdict)) ends[reason] = (ends[reason] ?? 0) + 1
    }
    progress.step()
  })
  progress.end()
  return {
    tried,
    counted: tried.map((own) => own.slice(0, sessions)),
    assured: assured.map((own) => own.slice(0, sessions)),
    ...(method.hasPasskeys && { atHigh: atHigh.map((own) => own.slice(0, sessions)) }),
    findings: { ...findingsIn(await product.sessionFigures()), ...ends },
  }
}

/** Marks an attack that ended before its verdict, to tell it apart from the product's own reasons. */
const noVerdict = 'ended by '
const isNoVerdict = (reason: string) => reason.startsWith(noVerdict)

/** If the product rejects a call, the session counts as not passed. */
export async function attempted(attempt: () => Promise<Attempt>): Promise<Attempt> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { passed: false, assurance: null, reasons: [`${noVerdict}${error.code}`] }
  }
}

/** Reads the server's own counts of findings and of steps that did not show the requested action. */
export function findingsIn(lines: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const line of lines) {
    const [, name, count] = /_total\{(?:finding|reason)="(\w+)"\} (\d+)/.exec(line) ?? []
    if (name !== undefined && name !== 'performed' && Number(count) > 0) found[name] = Number(count)
    const [, cue, answer, sessions] = /_total\{cue="(\w+)",answer="(\w+)"\} (\d+)/.exec(line) ?? []
    if (cue !== undefined && Number(sessions) > 0) found[`${cue} ${answer}`] = Number(sessions)
  }
  return found
}

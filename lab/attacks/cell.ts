import { showProgress } from '#lab/evaluate/progress.ts'
import { type Product, startProduct } from '../../e2e/support/product.ts'
import { mapConcurrent } from '../../shared/concurrency/map-concurrent.ts'
import { Problem } from '../../shared/problem.ts'
import type { Subject } from './forgery.ts'
import { type Attempt, isAssured, type Method, type Plan, type Way } from './methods/method.ts'
import { attemptLimit, type Sessions } from './rates.ts'
import { sessionOf } from './seeds.ts'

/** One combination of what is put in, how, and against which challenge. */
export interface Cell {
  readonly instrument: string
  readonly method: Method
  readonly plan: Plan
  /** So many sessions at once. */
  readonly atOnce: number
  readonly subjects: readonly Subject[]
  /** Decides what the pictures of each session owe to chance. */
  readonly seed: number
  /** So many of a person's sessions count. */
  readonly sessions: number
  /** Whether a person for whom none of these passes is tried on until a link would be closed. */
  readonly untilClosed: boolean
}

export interface Measured {
  /** The sessions that count, a list a person. */
  readonly counted: readonly Sessions[]
  /** Of the same sessions: whether each passed with `standard` assurance or more. */
  readonly assured: readonly Sessions[]
  /** Of the same sessions: whether each led to `high`; nothing where the method has no passkeys. */
  readonly atHigh?: readonly Sessions[]
  /** Those and, of people for whom none passed, as many more as a link allows. */
  readonly tried: readonly Sessions[]
  /** What the product found against the sessions, and what came of their steps: how often. */
  readonly findings: Readonly<Record<string, number>>
}

/** Runs a cell against a product of its own, with a memory of pictures that knows no other cell's. */
export async function measure(cell: Cell, settings: Record<string, string>): Promise<Measured> {
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

async function runAll(cell: Cell, way: Way, product: Product): Promise<Measured> {
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

/** What ended an attack before its verdict is told apart from the product's reasons. */
const noVerdict = 'ended by '
const isNoVerdict = (reason: string) => reason.startsWith(noVerdict)

/** A call that the product refuses ends the session without a pass. */
export async function attempted(attempt: () => Promise<Attempt>): Promise<Attempt> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { passed: false, assurance: null, reasons: [`${noVerdict}${error.code}`] }
  }
}

/** The server's own count of what spoke against sessions, and of steps that did not show what was asked. */
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

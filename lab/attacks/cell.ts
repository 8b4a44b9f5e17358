import { showProgress } from '#lab/evaluate/progress.ts'
import { type Product, startProduct } from '../../e2e/support/product.ts'
import type { Subject } from './forgery.ts'
import type { Attempt, Challenge, Method, Way } from './methods/method.ts'
import { attemptLimit, type Sessions } from './rates.ts'

/** One combination of what is put in, how, and against which challenge. */
export interface Cell {
  readonly instrument: string
  readonly method: Method
  readonly challenge: Challenge
  readonly subjects: readonly Subject[]
  /** So many of a person's sessions count. */
  readonly sessions: number
}

export interface Measured {
  /** The sessions that count, a list a person. */
  readonly counted: readonly Sessions[]
  /** Those and, of people for whom none passed, as many more as a link allows. */
  readonly tried: readonly Sessions[]
  /** What the product found against the sessions, and what came of their steps: how often. */
  readonly findings: Readonly<Record<string, number>>
}

/** Runs a cell against a product of its own, with a memory of pictures that knows no other cell's. */
export async function measure(cell: Cell, settings: Record<string, string>): Promise<Measured> {
  const product = await startProduct(settings)
  try {
    const way = await cell.method.open(product, cell.challenge)
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
  const { subjects, sessions, method } = cell
  const label = `${cell.instrument} ${method.name} ${cell.challenge}`
  const progress = showProgress(label, subjects.length)
  const tried = subjects.map((): boolean[] => [])
  let next = 0
  const lane = async () => {
    for (let index = next++; index < subjects.length; index = next++) {
      const own = tried[index]!
      while (own.length < sessions || (own.length < attemptLimit && !own.includes(true))) {
        own.push((await attemptOf(way, subjects[index]!, own.length)).passed)
      }
      progress.step()
    }
  }
  await Promise.all(Array.from({ length: Math.min(method.atOnce, subjects.length) }, lane))
  progress.end()
  return {
    tried,
    counted: tried.map((own) => own.slice(0, sessions)),
    findings: findingsIn(await product.sessionFigures()),
  }
}

function attemptOf(way: Way, subject: Subject, session: number): Promise<Attempt> {
  return way.attempt(subject.forge(session))
}

/** The server's own count of what spoke against sessions, and of steps that did not show what was asked. */
function findingsIn(lines: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const line of lines) {
    const [, name, count] = /_total\{(?:finding|reason)="(\w+)"\} (\d+)/.exec(line) ?? []
    if (name !== undefined && name !== 'performed' && Number(count) > 0) found[name] = Number(count)
  }
  return found
}

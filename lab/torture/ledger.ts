import { setTimeout as pause } from 'node:timers/promises'
import type { Arguments, Endpoint, ResultOf } from '../../shared/endpoint.ts'
import { Problem } from '../../shared/problem.ts'
import type { Product } from './product.ts'

/** A call's outcome: its answer, or undefined if there was none, in which case the call may or may not have taken effect. */
export type Outcome<T> = { readonly answer: T } | undefined

/** Calls the product, keeps track of what was acknowledged, and records contradictions. */
export interface Ledger {
  readonly figures: Readonly<Figures>
  readonly violations: readonly string[]
  /** Any error with a different code is a violation. */
  ask<E extends Endpoint>(endpoint: E, args: Arguments<E>): Promise<Outcome<ResultOf<E>>>
  /** Records a violation. */
  blame(what: string): void
}

export interface Figures {
  calls: number
  acknowledged: number
  unanswered: number
  /** The number of answers from a server that cannot reach its store. */
  refused: number
}

const pauseAfterRefusalInMilliseconds = 20

/** Codes by which a server asks to come again, because it or its store has too much to do, no room, or is away. */
const comeAgain: readonly string[] = ['overloaded', 'store_read_only', 'store_unavailable']

/** Reports each violation to `onViolation` immediately. */
export function createLedger(
  product: Pick<Product, 'call'>,
  onViolation: (what: string) => void = () => undefined,
): Ledger {
  const figures: Figures = { calls: 0, acknowledged: 0, unanswered: 0, refused: 0 }
  const violations: string[] = []
  const blame = (what: string) => {
    violations.push(what)
    onViolation(what)
  }

  return {
    figures,
    violations,
    blame,
    async ask(endpoint, args) {
      figures.calls++
      try {
        const answer = await product.call(endpoint, args)
        figures.acknowledged++
        return { answer }
      } catch (error) {
        if (error instanceof Problem && error.code === 'not_found') throw error
        if (error instanceof Problem && !comeAgain.includes(error.code)) {
          blame(`${endpoint.path} answered ${error.code}: ${error.message}`)
        } else if (error instanceof Error && error.name === 'TimeoutError') {
          blame(`${endpoint.path} did not answer`)
        }
        if (!(error instanceof Problem)) figures.unanswered++
        else {
          figures.refused++
          await pause(pauseAfterRefusalInMilliseconds)
        }
        return undefined
      }
    },
  }
}

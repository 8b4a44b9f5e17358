import type { DataSet } from './data-set.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './running/bench.ts'

/** One of the things that are measured. */
export interface Task {
  readonly name: string
  /** One line for the list of tasks. */
  readonly summary: string
  /**
   * What the set's labels allow to measure of it; no figure where they allow nothing. `whole` has the people of both
   * halves, also those on whom nothing is measured.
   */
  evaluate(set: DataSet, bench: Bench, whole: DataSet): Promise<Figures>
}

import type { DataSet } from './data-set.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './running/bench.ts'

export interface TaskOptions {
  /** Whether what takes perturbations is measured under the whole grid of them, as where not given. It takes far longer. */
  readonly forGrid?: boolean
}

/** One of the things that are measured. */
export interface Task<Of extends Figures = Figures> {
  readonly name: string
  /** One line for the list of tasks. */
  readonly summary: string
  /**
   * What the set's labels allow to measure of it; no figure where they allow nothing. `whole` has the people of both
   * halves, also those on whom nothing is measured.
   */
  evaluate(set: DataSet, bench: Bench, whole: DataSet, options?: TaskOptions): Promise<Of>
  /** What only several sets together tell; where one half is measured, of those sets alone of which there is one. */
  overall?(sets: readonly Of[]): Figures
}

import type { DataSet } from './data-set.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './running/bench.ts'

export interface TaskOptions {
  /** Whether tasks with perturbations measure the whole grid of them. Default true; it takes much longer. */
  readonly forGrid?: boolean
}

/** Something that can be measured. */
export interface Task<Of extends Figures = Figures> {
  readonly name: string
  /** One line for the list of tasks. */
  readonly summary: string
  /**
   * Measures what the set's labels allow; no figures if they allow nothing. `whole` has the people of both halves,
   * including those who are not measured.
   */
  evaluate(set: DataSet, bench: Bench, whole: DataSet, options?: TaskOptions): Promise<Of>
  /** Figures over several sets. If only one half is measured, sets without halves are left out. */
  overall?(sets: readonly Of[]): Figures
}

import type { DataSet } from './data-set.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './running/bench.ts'

export interface TaskOptions {
  /** True (the default) if tasks with perturbations should measure the entire grid, which takes much longer. */
  readonly forGrid?: boolean
}

/** Something that can be measured. */
export interface Task<Of extends Figures = Figures> {
  readonly name: string
  /** A one-line summary for the list of tasks. */
  readonly summary: string
  /**
   * Measures whatever the set's labels allow, which may be nothing. `whole` contains the people from both halves, including those who are not
   * measured.
   */
  evaluate(set: DataSet, bench: Bench, whole: DataSet, options?: TaskOptions): Promise<Of>
  /** Figures over several sets. If only one half is measured, sets without halves are skipped. */
  overall?(sets: readonly Of[]): Figures
}

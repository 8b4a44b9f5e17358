import type { Bench } from '#lab/evaluate/running/bench.ts'
import type { Ability } from '../../../models/rules/packs.ts'

/** What a calibration found: thresholds and tables, never weights (those may not be fitted on labelled pictures). */
export interface Calibrated {
  /** Becomes models/calibration/NAME.json, which models/*.ts import. */
  readonly values: object
  /** For the card of each model concerned: what was measured, on what, with counts and intervals; Markdown. */
  readonly cards: Readonly<Record<string, string>>
}

export interface Calibration {
  readonly name: string
  /** Whether it concerns networks that every pack has; without it there is nothing to calibrate in the conservative one. */
  readonly isOfEveryPack?: true
  /** What else than the standard pack must be able to do for it. */
  readonly needs?: Ability
  /** One line for the list. */
  readonly summary: string
  /** `data` is the folder that holds the tasks' folders (recognition, demographic, ...). */
  calibrate(data: string, bench: Bench): Promise<Calibrated>
}

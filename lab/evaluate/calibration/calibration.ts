import type { Bench } from '#lab/evaluate/running/bench.ts'
import type { Ability } from '../../../models/rules/packs.ts'

/** Result of a calibration: thresholds and tables, never weights (those may not be fitted on labelled pictures). */
export interface Calibrated {
  /** Becomes models/calibration/NAME.json, which models/*.ts import. */
  readonly values: object
  /** For the card of each affected model: the measurement and its data, with counts and intervals; Markdown. */
  readonly cards: Readonly<Record<string, string>>
}

export interface Calibration {
  readonly name: string
  /** True if it calibrates networks that every pack has. Otherwise it does not apply to the conservative pack. */
  readonly isOfEveryPack?: true
  /** An ability that packs other than the standard one need for it. */
  readonly needs?: Ability
  /** One line for the list. */
  readonly summary: string
  /** `data` is the folder with the tasks' folders (recognition, demographic, ...). */
  calibrate(data: string, bench: Bench): Promise<Calibrated>
}

import type { Bench } from '#lab/evaluate/running/bench.ts'
import type { Ability } from '../../../models/rules/packs.ts'

/** The result of a calibration: thresholds and tables, but never weights, since those must not be fitted to labelled pictures. */
export interface CalibrationResult {
  /** Written to models/calibration/NAME.json, which models/*.ts import. */
  readonly values: object
  /** Markdown for each affected model's card: the measurement and its data, with counts and intervals. */
  readonly cards: Readonly<Record<string, string>>
}

export interface Calibration {
  readonly name: string
  /** True if it calibrates networks that are part of every pack. Otherwise, it does not apply to the conservative pack. */
  readonly isOfEveryPack?: true
  /** The ability that packs other than the standard one need for this calibration. */
  readonly needs?: Ability
  /** A one-line summary for the list. */
  readonly summary: string
  /** `data` is the folder that contains the tasks' folders (recognition, demographic, ...). */
  calibrate(data: string, bench: Bench): Promise<CalibrationResult>
}

import type { Calibration } from './calibration.ts'

/** Everything that is calibrated, each the source of models/calibration/NAME.json. */
export const calibrations: readonly Calibration[] = []

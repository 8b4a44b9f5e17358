import type { Calibration } from './calibration.ts'
import { ageCalibration } from './demographic/age-calibration.ts'
import { calibrateFlags } from './emotion/calibrate-flags.ts'
import { livenessCalibration } from './liveness-calibration.ts'

/** Everything that is calibrated, each the source of models/calibration/NAME.json. */
export const calibrations: readonly Calibration[] = [ageCalibration, calibrateFlags, livenessCalibration]

import type { Calibration } from './calibration.ts'
import { ageCalibration } from './demographic/age-calibration.ts'
import { calibrateFlags } from './emotion/calibrate-flags.ts'
import { livenessCalibration } from './liveness-calibration.ts'
import { qualityCalibration } from './recognition/quality-calibration.ts'
import { scoreCalibration } from './recognition/score-calibration.ts'

/** Everything that is calibrated, each the source of models/calibration/NAME.json. */
export const calibrations: readonly Calibration[] = [
  scoreCalibration,
  qualityCalibration,
  ageCalibration,
  calibrateFlags,
  livenessCalibration,
]

import { ageCalibration } from './age-calibration.ts'
import type { Calibration } from './calibration.ts'
import { calibrateFlags } from './flags-calibration.ts'
import { livenessCalibration } from './liveness-calibration.ts'
import { qualityCalibration } from './quality-calibration.ts'
import { scoreCalibration } from './score-calibration.ts'

/** All calibrations. Each one writes models/calibration/NAME.json. */
export const calibrations: readonly Calibration[] = [
  scoreCalibration,
  qualityCalibration,
  ageCalibration,
  calibrateFlags,
  livenessCalibration,
]

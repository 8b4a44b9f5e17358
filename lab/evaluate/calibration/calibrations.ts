import { ageCalibration } from '#lab/evaluate/demographic/age-calibration.ts'
import { calibrateFlags } from '#lab/evaluate/emotion/calibrate-flags.ts'
import { livenessCalibration } from '#lab/evaluate/liveness/liveness-calibration.ts'
import { qualityCalibration } from '#lab/evaluate/recognition/quality-calibration.ts'
import { scoreCalibration } from '#lab/evaluate/recognition/score-calibration.ts'
import type { Calibration } from './calibration.ts'

/** All calibrations. Each one writes models/calibration/NAME.json. */
export const calibrations: readonly Calibration[] = [
  scoreCalibration,
  qualityCalibration,
  ageCalibration,
  calibrateFlags,
  livenessCalibration,
]

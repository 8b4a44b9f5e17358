import { expect, test } from 'vitest'
import { keptServing } from '#lab/torture/disk.ts'

const whole = {
  lostAcknowledged: 0,
  processEnded: 0,
  rounds: 2,
  refusedWrites: 8,
  otherAnswers: 0,
  readsFailed: 0,
  roundsReportedByReadiness: 2,
  roundsReportedByMetrics: 2,
  recoveryMostMs: 1000,
}

test.each([
  ['everything held', {}, true],
  ['something was lost', { lostAcknowledged: 1 }, false],
  ['the process ended', { processEnded: 1 }, false],
  ['a read failed', { readsFailed: 1 }, false],
  ['a write was answered otherwise', { otherAnswers: 1 }, false],
  ['readiness said nothing once', { roundsReportedByReadiness: 1 }, false],
  ['the metric said nothing once', { roundsReportedByMetrics: 1 }, false],
  ['it was never full', { refusedWrites: 0 }, false],
  ['it never recovered', { recoveryMostMs: Number.NaN }, false],
  ['nothing was tried', { rounds: 0, roundsReportedByReadiness: 0, roundsReportedByMetrics: 0 }, false],
])('if %s, it kept serving: %s', (_name, changed, expected) => {
  expect(keptServing({ ...whole, ...changed })).toBe(expected)
})

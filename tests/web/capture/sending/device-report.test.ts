import { expect, test } from 'vitest'
import { createDeviceReport } from '#web/capture/sending/device-report.ts'
import type { Analysis } from '#workers/api.ts'

const seen = (luminance: number) => ({ luminance, face: undefined }) as unknown as Analysis

test('counts pictures with exactly the same brightness as the one before', () => {
  const report = createDeviceReport()
  for (const luminance of [100, 100, 100.0001, 100, 100, 100]) report.add(seen(luminance))
  expect(report.read()).toMatchObject({ analyses: 6, repeats: 3 })
})

test('names the camera that was opened last, cut to 200 characters', () => {
  const report = createDeviceReport()
  expect(report.read().camera).toBeNull()
  report.opened('x'.repeat(201))
  expect(report.read().camera).toHaveLength(200)
  report.opened('HD Webcam')
  expect(report.read().camera).toBe('HD Webcam')
})

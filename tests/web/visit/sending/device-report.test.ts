import { expect, test } from 'vitest'
import { createDeviceReport } from '#web/visit/sending/device-report.ts'
import type { Analysis } from '#workers/api.ts'

const seen = (luminance: number, landmarks: number[] | null) =>
  ({
    luminance,
    face: landmarks === null ? undefined : { landmarks: Float32Array.from(landmarks) },
  }) as unknown as Analysis

test('counts pictures that are the same to the last digit as the one before', () => {
  const report = createDeviceReport()
  report.add(seen(100, [1, 2, 3]))
  report.add(seen(100, [1, 2, 3]))
  report.add(seen(100, [1, 2, 3.001]))
  report.add(seen(100.001, [1, 2, 3.001]))
  report.add(seen(100.001, null))
  report.add(seen(100.001, null))
  report.add(seen(100.001, [1, 2, 3]))
  expect(report.read()).toMatchObject({ analyses: 7, withFace: 5, repeats: 1 })
})

test('names the camera that was opened last, cut to 200 characters', () => {
  const report = createDeviceReport()
  expect(report.read().camera).toBeNull()
  report.opened('x'.repeat(201))
  expect(report.read().camera).toHaveLength(200)
  report.opened('HD Webcam')
  expect(report.read().camera).toBe('HD Webcam')
})

import { describe, expect, test } from 'vitest'
import { type FrameMeasures, frameQuality } from '#models/picture/frame-quality.ts'
import { embeddingModel } from '#models/rules/embedding.ts'

const strong = 100
const good: FrameMeasures = {
  quality: { sharpness: 150, spread: 150, clipped: 0 },
  pose: { yaw: 5, pitch: -5 },
  aligned: [1, 0, 0, 0, 1, 0],
  strength: strong,
  model: embeddingModel,
}
const measured = ({ quality, ...others }: Partial<Omit<FrameMeasures, 'quality'>> & { quality?: object }) =>
  frameQuality({ ...good, ...others, quality: { ...good.quality, ...quality } })

describe('the quality of a frame', () => {
  test('is full where nothing is wrong', () => {
    expect(frameQuality(good)).toBe(1)
  })

  test.each([
    ['blur', [20, 10, 5, 1].map((sharpness) => ({ quality: { sharpness } }))],
    ['flat light', [60, 30, 20, 5].map((spread) => ({ quality: { spread } }))],
    ['glare', [0.1, 0.3, 0.5, 0.7].map((clipped) => ({ quality: { clipped } }))],
    ['few pixels', [0.5, 0.3, 0.2, 0.05].map((scale) => ({ aligned: [scale, 0, 0, 0, scale, 0] as const }))],
    ['a turned head', [20, 50, 60, 80].map((yaw) => ({ pose: { yaw, pitch: 0 } }))],
    ['a raised head', [20, 50, 60, 80].map((pitch) => ({ pose: { yaw: 0, pitch } }))],
  ])('falls from 1 to 0 with %s', (_what, steps) => {
    const values = steps.map(measured)
    expect(values[0]).toBe(1)
    expect(values.at(-1)).toBe(0)
    expect(values).toEqual([...values].sort((a, b) => b - a))
    expect(new Set(values).size).toBe(values.length)
  })

  test('falls with the strength of the embedding', () => {
    const values = [4.2, 3.7, 3.2, 2.7, 1, 0].map((strength) => measured({ strength }))
    expect(values).toEqual([...values].sort((a, b) => b - a))
    expect(new Set(values).size).toBe(values.length)
    expect(values.at(-1)).toBe(0)
  })

  test('is that of the weakest link', () => {
    const blurred = { quality: { sharpness: 5 } }
    expect(measured({ ...blurred, pose: { yaw: 50, pitch: 0 } })).toBe(measured(blurred))
  })

  test('rests on pixels alone where the model has no table', () => {
    expect(measured({ strength: 0, model: 'another/1' })).toBe(1)
  })
})

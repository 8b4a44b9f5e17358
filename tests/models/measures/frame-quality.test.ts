import { describe, expect, test } from 'vitest'
import { type FrameMeasures, frameQuality, unifiedQuality } from '#models/measures/frame-quality.ts'
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
  test('is full without faults', () => {
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

  test('is that of the weakest component', () => {
    const blurred = { quality: { sharpness: 5 } }
    expect(measured({ ...blurred, pose: { yaw: 50, pitch: 0 } })).toBe(measured(blurred))
  })

  test('uses only pixels if the model has no table', () => {
    expect(measured({ strength: 0, model: 'another/1' })).toBe(1)
  })
})

describe('the quality of a picture that is judged alone', () => {
  const alone = ({ quality, ...others }: Partial<Omit<FrameMeasures, 'quality'>> & { quality?: object }) =>
    unifiedQuality({ ...good, ...others, quality: { ...good.quality, ...quality } })
  const falls = (values: readonly number[]) => {
    expect(values).toEqual([...values].sort((a, b) => b - a))
    expect(new Set(values).size).toBe(values.length)
  }

  test('is full without faults, and falls with the strength of the embedding down to 0', () => {
    expect(alone({})).toBe(1)
    const values = [4.2, 3.7, 3.2, 2.7, 2.6, 2.4, 2, 1.6, 1].map((strength) => alone({ strength }))
    falls(values)
    expect(values.at(-1)).toBe(0)
  })

  test('distinguishes the poorest pictures, a point of 100 for each 0.07 of strength', () => {
    const points = [2.6, 2.53, 2.46, 2.39, 2.32].map((strength) => Math.round(100 * alone({ strength })))
    expect(new Set(points).size).toBe(points.length)
  })

  test('rates a soft face lower than a dark one whose embedding is equally short', () => {
    const strength = 3.2
    const dark = alone({ strength, quality: { sharpness: 30, spread: 70 } })
    const soft = alone({ strength, quality: { sharpness: 6, spread: 150 } })
    expect(soft).toBeLessThan(dark - 0.05)
    falls([150, 60, 20, 6, 2].map((sharpness) => alone({ strength, quality: { sharpness } })))
  })

  test('does not mistake noise for sharpness', () => {
    const noisy = [300, 500, 5000].map((sharpness) => alone({ strength: 3.2, quality: { sharpness } }))
    expect(new Set(noisy).size).toBe(1)
  })

  test.each([
    ['flat light', { quality: { spread: 20 } }],
    ['glare', { quality: { clipped: 0.4 } }],
    ['few pixels', { aligned: [0.2, 0, 0, 0, 0.2, 0] as const }],
    ['a turned head', { pose: { yaw: 60, pitch: 0 } }],
  ])('is no better than %s allows', (_what, harm) => {
    expect(alone(harm)).toBeLessThan(1)
    expect(alone(harm)).toBeCloseTo(Math.cbrt(measured(harm)))
  })

  test('of a model without such a measurement is the cube root of that of a frame', () => {
    const harm = { model: 'another/1', quality: { sharpness: 5 } }
    expect(alone(harm)).toBe(Math.cbrt(measured(harm)))
    expect(alone(harm)).toBeLessThan(1)
  })
})

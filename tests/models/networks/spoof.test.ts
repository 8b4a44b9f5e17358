import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noisy } from '#lab/evaluate/running/alterations.ts'
import { cropAround, liveProbabilities } from '#models/networks/spoof.ts'
import { Picture } from '#models/picture/picture.ts'
import type { Tensor } from '#models/picture/tensor.ts'
import { grey } from '../../support/drawn/frames.ts'

const picture = { width: 640, height: 480 }

describe('the crop for liveness', () => {
  test('is 2.7 faces wide, centred on the face', () => {
    const crop = cropAround({ x: 270, y: 190, width: 100, height: 100 }, picture)
    expect(crop).toEqual({ x: 185, y: 105, width: 270, height: 270 })
  })

  test('is shifted rather than padded at an edge', () => {
    const crop = cropAround({ x: 0, y: 380, width: 100, height: 100 }, picture)
    expect(crop).toEqual({ x: 0, y: 210, width: 270, height: 270 })
  })

  test('is shrunk if the picture is too small for it', () => {
    const crop = cropAround({ x: 200, y: 100, width: 300, height: 300 }, picture)
    expect(crop).toEqual({ x: 110, y: 0, width: 480, height: 480 })
  })

  test('never leaves the picture, and keeps the face’s proportions', () => {
    const box = fc.record({
      x: fc.double({ min: -200, max: 640, noNaN: true }),
      y: fc.double({ min: -200, max: 480, noNaN: true }),
      width: fc.double({ min: 10, max: 900, noNaN: true }),
      height: fc.double({ min: 10, max: 900, noNaN: true }),
    })
    fc.assert(
      fc.property(box, (face) => {
        const { x, y, width, height } = cropAround(face, picture)
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(picture.width + 1e-6)
        expect(y + height).toBeLessThanOrEqual(picture.height + 1e-6)
        expect(width / height).toBeCloseTo(face.width / face.height, 6)
      }),
    )
  })
})

describe('the live probability', () => {
  const network = (logits: readonly number[]) => {
    const fed: Tensor[] = []
    const run = async (input: Tensor) => {
      fed.push(input)
      return { logits: { data: Float32Array.from(logits), dims: [1, 3] } }
    }
    return { fed, session: { run } }
  }
  const stripes = new Picture(grey(128, 128, (x, y) => (x % 2 === 0 ? 40 : 200) + (y % 2)))
  const face = { x: 40, y: 40, width: 47.5, height: 47.5 }

  test.each([
    [[0, 0, 0], 1 / 3],
    [[5, 0, 0], 0.987],
    [[1000, 0, 0], 1],
    [[-1000, 0, 0], 0],
  ])('of %j is %d', async (logits, probability) => {
    const { raw } = await liveProbabilities(network(logits).session, stripes, face, 'light')
    expect(raw).toBeCloseTo(probability, 3)
  })

  test('is computed from unscaled bytes', async () => {
    const { session, fed } = network([0, 0, 0])
    await liveProbabilities(session, new Picture(grey(128, 128, () => 180)), face, 'light')
    expect(fed[0]!.dims).toEqual([1, 3, 128, 128])
    expect(new Set(fed[0]!.data)).toEqual(new Set([180]))
  })

  test('keeps the light and loses the noise after a blur', async () => {
    const { session, fed } = network([0, 0, 0])
    await liveProbabilities(session, stripes, face, 'full')
    const [raw, , blurred] = fed.map(({ data }) => data) as [Float32Array, Float32Array, Float32Array]
    const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length
    const spread = (values: Float32Array) => {
      const middle = mean(values)
      return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
    }
    expect(mean(blurred)).toBeCloseTo(mean(raw), 0)
    expect(spread(blurred)).toBeLessThan(0.2 * spread(raw))
  })

  test('blurs the crop more in the presence of more noise', async () => {
    const even = grey(128, 128, () => 128)
    const spreadOf = async (sigma: number) => {
      const { session, fed } = network([0, 0, 0])
      await liveProbabilities(session, new Picture(noisy(even, sigma) as typeof even), face, 'full')
      const [raw, , blurred] = fed.map(({ data }) => data) as [Float32Array, Float32Array, Float32Array]
      const deviation = (values: Float32Array) =>
        Math.sqrt(values.reduce((sum, value) => sum + (value - 128) ** 2, 0) / values.length)
      return deviation(blurred) / deviation(raw)
    }
    expect(await spreadOf(4)).toBeLessThan(0.75 * (await spreadOf(0.7)))
  })

  test.each([
    ['light', 1],
    ['full', 4],
    ['still', 6],
  ] as const)('of a %s look costs %d runs', async (depth, runs) => {
    const { session, fed } = network([0, 0, 0])
    await liveProbabilities(session, stripes, face, depth)
    expect(fed).toHaveLength(runs)
  })

  test('needs no nearer crop if the picture has no wider one', async () => {
    const { session, fed } = network([0, 0, 0])
    const wide = { x: 20, y: 20, width: 90, height: 90 }
    expect(await liveProbabilities(session, stripes, wide, 'still')).not.toHaveProperty('near')
    expect(fed).toHaveLength(4)
  })

  test('is the mean of a crop and of its mirror image', async () => {
    const ramp = new Picture(grey(128, 128, (x) => x))
    const run = async ({ data }: Tensor) => {
      const rises = data[127]! > data[0]!
      return { logits: { data: Float32Array.from(rises ? [1000, 0, 0] : [-1000, 0, 0]), dims: [1, 3] } }
    }
    expect(await liveProbabilities({ run }, ramp, face, 'full')).toMatchObject({ raw: 0.5, blurred: 0.5 })
  })
})

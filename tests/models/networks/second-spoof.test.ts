import { describe, expect, test } from 'vitest'
import { secondLiveProbabilities } from '#models/networks/second-spoof.ts'
import { Picture } from '#models/picture/picture.ts'
import type { Tensor } from '#models/picture/tensor.ts'
import { drawn } from '../../support/drawn/frames.ts'

const picture = new Picture(drawn(640, 480, (x) => [x % 200, 60, 90]))
const face = { x: 270, y: 190, width: 100, height: 100 }

function network(...logits: readonly (readonly number[])[]) {
  const fed: Tensor[] = []
  const session = {
    run: async (input: Tensor) => {
      const data = Float32Array.from(logits[fed.length % logits.length]!)
      fed.push(input)
      return { output: { data, dims: [1, 3] } }
    },
  }
  return { fed, session }
}

describe('the second look at liveness', () => {
  test('feeds unscaled bytes, blue first, of 2.7 faces, and reads the class in the middle', async () => {
    const { fed, session } = network([0, Math.log(2), 0])
    const { raw } = await secondLiveProbabilities(session, picture, face, 'light')
    expect(raw).toBeCloseTo(0.5)
    expect(fed).toHaveLength(1)
    const { data, dims } = fed[0]!
    expect(dims).toEqual([1, 3, 80, 80])
    const plane = 80 * 80
    expect([data[0], data[plane]]).toEqual([90, 60])
    expect(data.slice(2 * plane).some((value) => value > 100)).toBe(true)
  })

  test.each(['full', 'still'] as const)('%s: the mean of a crop and its mirror image', async (depth) => {
    const even = (probability: number) => [0, Math.log((2 * probability) / (1 - probability)), 0]
    const { fed, session } = network(even(0.2), even(0.4))
    const { raw } = await secondLiveProbabilities(session, picture, face, depth)
    expect([raw, fed.length]).toEqual([expect.closeTo(0.3), 2])
    const row = (of: Tensor) => Array.from(of.data.subarray(2 * 80 * 80, 2 * 80 * 80 + 80))
    expect(row(fed[1]!)).toEqual(row(fed[0]!).reverse())
  })
})

import { describe, expect, test } from 'vitest'
import { type DetectorKind, detect, fullRange, shortRange } from '#models/networks/detector.ts'
import type { Session } from '#models/networks/session.ts'
import { Picture } from '#models/picture/picture.ts'
import type { Tensor } from '#models/picture/tensor.ts'
import { grey } from '../../support/drawn/frames.ts'

interface Candidate {
  readonly anchor: number
  readonly logit: number
  /** The centre relative to the anchor, the width and the height, in input pixels. */
  readonly box: readonly [x: number, y: number, width: number, height: number]
}

/** A network that only returns these candidates, and records its input. */
function network(kind: DetectorKind, candidates: readonly Candidate[]) {
  const count = kind.anchors.length / 2
  const scores = new Float32Array(count).fill(-100)
  const regressors = new Float32Array(count * 16)
  for (const { anchor, logit, box } of candidates) {
    scores[anchor] = logit
    regressors.set(box, anchor * 16)
    for (let k = 0; k < 6; k++) regressors.set([k, -k], anchor * 16 + 4 + 2 * k)
  }
  const fed: Tensor[] = []
  const session: Session = {
    run: async (input) => {
      fed.push(input)
      return {
        scores: { data: scores, dims: [1, count, 1] },
        regressors: { data: regressors, dims: [1, count, 16] },
      }
    },
  }
  return { session, fed }
}

const square = new Picture(grey(128, 128, () => 200))
/** The anchor in the middle of the short-range network's second layer, at 72, 72. */
const middle = 512 + (4 * 8 + 4) * 6

describe('anchors', () => {
  test.each([
    [shortRange, 896, [4, 4], [120, 120]],
    [fullRange, 2304, [2, 2], [190, 190]],
  ] as const)('of %j match the number of the network’s outputs, row by row', (kind, count, first, last) => {
    expect(kind.anchors).toHaveLength(2 * count)
    expect(Array.from(kind.anchors.slice(0, 2))).toEqual(first)
    expect(Array.from(kind.anchors.slice(-2))).toEqual(last)
  })
})

describe('detect', () => {
  test('places the box around its anchor, and the six points next to it', async () => {
    const { session } = network(shortRange, [{ anchor: middle, logit: 3, box: [8, -8, 40, 20] }])
    const [found] = await detect(session, shortRange, square)
    expect(found!.box).toEqual({ x: expect.closeTo(60, 3), y: expect.closeTo(54, 3), width: 40, height: 20 })
    expect(found!.confidence).toBeCloseTo(1 / (1 + Math.exp(-3)))
    expect(found!.keypoints).toHaveLength(6)
    expect(found!.keypoints[2]).toEqual({ x: 74, y: 70 })
  })

  test.each([
    [0.01, 1],
    [-0.01, 0],
  ])('at half certainty: a logit of %d gives %d faces', async (logit, count) => {
    const { session } = network(shortRange, [{ anchor: middle, logit, box: [0, 0, 40, 40] }])
    expect(await detect(session, shortRange, square)).toHaveLength(count)
  })

  test.each([
    [0.9, 0],
    [0.8, 1],
  ])('asked for a certainty of %d, a face of 0.88 gives %d', async (minimumConfidence, count) => {
    const { session } = network(shortRange, [{ anchor: middle, logit: 2, box: [0, 0, 40, 40] }])
    expect(await detect(session, shortRange, square, { minimumConfidence })).toHaveLength(count)
  })

  test('merges overlapping boxes by their scores, and keeps the best one’s certainty', async () => {
    const { session } = network(shortRange, [
      { anchor: middle, logit: Math.log(0.9 / 0.1), box: [0, 0, 40, 40] },
      { anchor: middle + 1, logit: Math.log(0.6 / 0.4), box: [5, 0, 40, 40] },
    ])
    const found = await detect(session, shortRange, square)
    expect(found).toHaveLength(1)
    expect(found[0]!.confidence).toBeCloseTo(0.9)
    expect(found[0]!.box.x).toBeCloseTo((0.9 * 52 + 0.6 * 57) / 1.5, 4)
  })

  test('keeps boxes that hardly overlap, best first', async () => {
    const { session } = network(shortRange, [
      { anchor: middle, logit: 1, box: [0, 0, 40, 40] },
      { anchor: middle + 1, logit: 2, box: [25, 0, 40, 40] },
    ])
    const found = await detect(session, shortRange, square)
    expect(found.map(({ box }) => box.x)).toEqual([77, 52])
  })

  test('pads an oblong picture with black bars and maps boxes back', async () => {
    const wide = new Picture(grey(256, 128, () => 255))
    const { session, fed } = network(shortRange, [{ anchor: middle, logit: 3, box: [0, 0, 32, 32] }])
    const [found] = await detect(session, shortRange, wide)
    expect(found!.box).toEqual({ x: 112, y: 48, width: 64, height: 64 })
    const { data, dims } = fed[0]!
    expect(dims).toEqual([1, 3, 128, 128])
    expect(data[10 * 128 + 64]).toBe(-1)
    expect(data[64 * 128 + 64]).toBeCloseTo(1)
  })

  test('analyses a part of the picture if one is given', async () => {
    const { session } = network(shortRange, [{ anchor: middle, logit: 3, box: [0, 0, 32, 32] }])
    const within = { x: 64, y: 0, width: 64, height: 64 }
    const [found] = await detect(session, shortRange, square, { within })
    expect(found!.box).toEqual({ x: 92, y: 28, width: 16, height: 16 })
  })
})

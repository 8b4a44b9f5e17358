import { describe, expect, test } from 'vitest'
import type { Session } from '#models/networks/session.ts'
import { detectUpright } from '#models/networks/upright-detector.ts'
import { Picture } from '#models/picture/picture.ts'
import type { Tensor } from '#models/picture/tensor.ts'
import { nothingUpright } from '../../support/drawn/fake-networks.ts'
import { grey } from '../../support/drawn/frames.ts'

interface Candidate {
  /** Its index among the squares that the network starts from. */
  readonly square: number
  readonly logit: number
  /** The network's raw output values. */
  readonly values?: readonly [x: number, y: number, width: number, height: number]
}

/** A network that only returns these candidates, and records its input. */
function network(candidates: readonly Candidate[]) {
  const fed: Tensor[] = []
  const session: Session = {
    run: async (input) => {
      fed.push(input)
      const { scores, regressors } = nothingUpright(input) as Record<'scores' | 'regressors', Tensor>
      for (const { square, logit, values = [0, 0, 0, 0] } of candidates) {
        scores.data.set([0, logit], 2 * square)
        regressors.data.set(values, 4 * square)
      }
      return { scores, regressors }
    },
  }
  return { session, fed }
}

const options = { longest: 320, minimumConfidence: 0.5 }
const picture = new Picture(grey(640, 480, () => 200))
/** In the first layer of a 320 x 240 input, which has 40 x 30 places with three squares each. */
const squareAt = (column: number, row: number, size = 0) => 3 * (row * 40 + column) + size

describe('the detector of upright faces', () => {
  test('is fed the whole picture in its own aspect ratio, without bars', async () => {
    const { session, fed } = network([])
    await detectUpright(session, picture, options)
    expect(fed[0]!.dims).toEqual([1, 3, 240, 320])
    expect(new Set(fed[0]!.data)).toEqual(new Set([Math.fround((200 - 127) / 128)]))
  })

  test.each([
    ['1000 x 333', 1000, 333, [1, 3, 112, 320]],
    ['48 x 48', 48, 48, [1, 3, 320, 320]],
    ['30 x 1200', 30, 1200, [1, 3, 320, 8]],
  ] as const)('takes %s at whole strides', async (_, width, height, dims) => {
    const { session, fed } = network([])
    await detectUpright(session, new Picture(grey(width, height, () => 9)), options)
    expect(fed[0]!.dims).toEqual(dims)
  })

  test('places a face around its square, as the square that BlazeFace would draw', async () => {
    const { session } = network([{ square: squareAt(20, 15, 2), logit: 2 }])
    const [found] = await detectUpright(session, picture, options)
    // 24 input pixels around (164, 124), which are 48 picture pixels around (328, 248).
    const side = (48 / 0.876 + 48 / 1.214) / 2
    expect(found).toEqual({
      confidence: expect.closeTo(1 / (1 + Math.exp(-2)), 6),
      upright: expect.closeTo(1 / (1 + Math.exp(-2)), 6),
      keypoints: [],
      box: {
        x: expect.closeTo(328 - side / 2, 4),
        y: expect.closeTo(248 + 0.052 * side - side / 2, 4),
        width: expect.closeTo(side, 4),
        height: expect.closeTo(side, 4),
      },
    })
  })

  test("moves and enlarges a square by the network's values", async () => {
    const plain = await detectUpright(
      network([{ square: squareAt(20, 15), logit: 2 }]).session,
      picture,
      options,
    )
    const moved = await detectUpright(
      network([{ square: squareAt(20, 15), logit: 2, values: [10, 0, 5 * Math.LN2, 5 * Math.LN2] }]).session,
      picture,
      options,
    )
    expect(moved[0]!.box.width).toBeCloseTo(2 * plain[0]!.box.width, 4)
    const centreX = ({ box }: (typeof moved)[number]) => box.x + box.width / 2
    expect(centreX(moved[0]!) - centreX(plain[0]!)).toBeCloseTo(2 * 10, 4)
  })

  test('returns each face once, the most certain first, and none below the requested confidence', async () => {
    const { session } = network([
      { square: squareAt(5, 5), logit: 1 },
      { square: squareAt(20, 15, 2), logit: 2 },
      { square: squareAt(20, 15, 1), logit: 3, values: [0, 0, 1, 1] },
      { square: squareAt(30, 20), logit: -0.01 },
    ])
    const found = await detectUpright(session, picture, options)
    expect(found.map(({ confidence }) => Math.round(100 * confidence))).toEqual([95, 73])
  })
})

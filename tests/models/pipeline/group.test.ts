import { describe, expect, test } from 'vitest'
import type { Session } from '#models/networks/session.ts'
import { Picture } from '#models/picture/picture.ts'
import type { Tensor } from '#models/picture/tensor.ts'
import { detectGroup, isSameFace, withoutRepeats } from '#models/pipeline/group.ts'
import { nothingUpright } from '../../support/drawn/fake-networks.ts'
import { grey } from '../../support/drawn/frames.ts'

const box = (x: number, y: number, side: number) => ({ x, y, width: side, height: side })

describe('two boxes', () => {
  test.each([
    ['that are nearly one', box(10, 10, 100), box(14, 12, 100), true],
    ['of which one is a part of the other', box(0, 0, 100), box(5, 40, 45), true],
    ['side by side', box(0, 0, 100), box(90, 0, 100), false],
    ['apart', box(0, 0, 100), box(300, 0, 100), false],
  ])('%s: one face %#', (_name, a, b, same) => {
    expect(isSameFace(a, b)).toBe(same)
    expect(isSameFace(b, a)).toBe(same)
  })

  test('of one face leave the more certain one', () => {
    const found = [
      { box: box(0, 0, 100), confidence: 0.7, keypoints: [] },
      { box: box(4, 0, 100), confidence: 0.9, keypoints: [] },
      { box: box(300, 0, 50), confidence: 0.6, keypoints: [] },
    ]
    expect(withoutRepeats(found).map(({ confidence }) => confidence)).toEqual([0.9, 0.6])
  })
})

describe('a group', () => {
  const picture = new Picture(grey(640, 480, () => 90))
  const middle = 512 + (4 * 8 + 4) * 6

  /** A short-range network that finds a 200-pixel face near the middle of the picture, and how often it ran. */
  function nearSeeing(confidence: number) {
    const asked = { times: 0 }
    const session: Session = {
      run: async () => {
        asked.times++
        const scores = new Float32Array(896).fill(-100)
        const regressors = new Float32Array(896 * 16)
        scores[middle] = Math.log(confidence / (1 - confidence))
        regressors.set([0, 0, 40, 40], middle * 16)
        return {
          scores: { data: scores, dims: [1, 896, 1] },
          regressors: { data: regressors, dims: [1, 896, 16] },
        }
      },
    }
    return { session, asked }
  }

  /**
   * A network that finds an upright face in the middle of the close one, shifted to the right. `side` and `moved` are
   * pixels of the picture.
   */
  function uprightSeeing(confidence: number, side: number, moved: number) {
    const asked: (readonly number[])[] = []
    const session: Session = {
      run: async (input) => {
        asked.push(input.dims)
        const { scores, regressors } = nothingUpright(input) as Record<'scores' | 'regressors', Tensor>
        const [, , rows, columns] = input.dims as [number, number, number, number]
        const scale = 640 / columns
        const places = Math.ceil(rows / 8) * Math.ceil(columns / 8) * 3
        const column = Math.floor((360 + moved) / scale / 16)
        const square = places + 2 * (Math.floor(280 / scale / 16) * Math.ceil(columns / 16) + column)
        scores.data.set([0, Math.log(confidence / (1 - confidence))], 2 * square)
        const grown = Math.log((0.876 * side) / scale / 32) / 0.2
        regressors.data.set([0, 0, grown, grown], 4 * square)
        return { scores, regressors }
      },
    }
    return { session, asked }
  }

  const look = (near: Session, upright: Session) => detectGroup({ near, small: { upright } }, picture)

  test('is searched in its own aspect ratio at two sizes', async () => {
    const { session, asked } = uprightSeeing(0.9, 40, 0)
    await look(nearSeeing(0.1).session, session)
    expect(asked).toEqual([
      [1, 3, 240, 320],
      [1, 3, 360, 480],
    ])
  })

  test.each([
    ['is plain', 0.86, 1],
    ['is not', 0.84, 2],
  ])('has no face that fills the picture if a near one %s: %d', async (_name, confidence, times) => {
    const near = nearSeeing(confidence)
    await look(near.session, uprightSeeing(0.1, 40, 0).session)
    expect(near.asked.times).toBe(times)
  })

  test('with a face that both networks see keeps the one of the network that finds its eyes', async () => {
    const [seen, ...others] = await look(nearSeeing(0.9).session, uprightSeeing(0.97, 200, 0).session)
    expect(seen!.keypoints).toHaveLength(6)
    expect(seen).toMatchObject({ confidence: expect.closeTo(0.9, 4), upright: expect.closeTo(0.97, 4) })
    expect(others).toEqual([])
  })

  test.each([
    [0.61, 6],
    [0.59, 0],
  ])(
    'takes the eyes of a face from a short-range network that is %d sure: %d points',
    async (confidence, points) => {
      const found = await look(nearSeeing(confidence).session, uprightSeeing(0.97, 200, 0).session)
      expect(found.map(({ keypoints, upright }) => [keypoints.length, upright])).toEqual([
        [points, expect.closeTo(0.97, 4)],
      ])
    },
  )

  test('keeps both of two boxes if one is inside the other', async () => {
    const found = await look(nearSeeing(0.6).session, uprightSeeing(0.97, 60, 0).session)
    expect(found.map(({ keypoints, upright }) => [keypoints.length, upright])).toEqual([
      [6, undefined],
      [0, expect.closeTo(0.97, 4)],
    ])
  })

  test('keeps distinct faces, each as it was found', async () => {
    const found = await look(nearSeeing(0.9).session, uprightSeeing(0.97, 100, 200).session)
    expect(found.map(({ keypoints, upright }) => [keypoints.length, upright])).toEqual([
      [6, undefined],
      [0, expect.closeTo(0.97, 4)],
    ])
  })
})

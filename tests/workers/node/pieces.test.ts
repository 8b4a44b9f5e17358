import { describe, expect, test } from 'vitest'
import type { Analysis } from '#workers/api.ts'
import { createPieces, pieceInMilliseconds } from '#workers/node/pieces.ts'

const picture = Uint8Array.of(1)

/** Analyses a number of faces, each of which takes a given time on a simulated clock. */
function start(faces: number, millisecondsEach: number) {
  let time = 0
  const looked: number[] = []
  const pieces = createPieces(
    async (_picture, _wanted, pause) => {
      for (let face = 0; face < faces; face++) {
        await pause()
        time += millisecondsEach
        looked.push(face)
      }
      return { width: faces } as Analysis
    },
    () => time,
  )
  return { pieces, looked }
}

const restOf = (piece: object) => (piece as { rest: number }).rest

describe('a picture in pieces', () => {
  test('ends a piece at the first face after its time', async () => {
    const { pieces, looked } = start(4, pieceInMilliseconds / 2)
    const first = await pieces.begin(picture, {})
    expect([looked, first]).toEqual([[0, 1], { rest: expect.any(Number) }])
    expect(await pieces.goOn(restOf(first))).toEqual({ analysis: { width: 4 } })
    expect(looked).toEqual([0, 1, 2, 3])
  })

  test('is complete if it takes less', async () => {
    const { pieces } = start(3, 1)
    expect(await pieces.begin(picture, {})).toEqual({ analysis: { width: 3 } })
  })

  test('waits next to others, each under a distinct number', async () => {
    const { pieces } = start(2, pieceInMilliseconds)
    const one = await pieces.begin(picture, {})
    const other = await pieces.begin(picture, {})
    expect(restOf(one)).not.toBe(restOf(other))
    expect(await pieces.goOn(restOf(other))).toEqual({ analysis: { width: 2 } })
    expect(await pieces.goOn(restOf(one))).toEqual({ analysis: { width: 2 } })
  })

  test('is forgotten if it is no longer wanted', async () => {
    const { pieces, looked } = start(3, pieceInMilliseconds)
    const first = await pieces.begin(picture, {})
    await pieces.drop(restOf(first))
    await expect(pieces.goOn(restOf(first))).rejects.toThrow('There is no unfinished picture')
    expect(looked).toEqual([0])
  })

  test('that is unreadable fails in its first piece', async () => {
    const pieces = createPieces(
      () => Promise.reject(new Error('not a picture')),
      () => 0,
    )
    await expect(pieces.begin(picture, {})).rejects.toThrow('not a picture')
  })
})

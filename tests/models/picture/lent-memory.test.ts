import { describe, expect, test } from 'vitest'
import { LentMemory } from '#models/picture/lent-memory.ts'

describe('lent memory', () => {
  test('is a different piece each time until it is returned', () => {
    const memory = new LentMemory()
    const [one, other] = [memory.floats(8), memory.floats(8)]
    expect(one.buffer).not.toBe(other.buffer)
    memory.takeBack()
    const again = [memory.words(8).buffer, memory.floats(8).buffer]
    expect(new Set(again)).toEqual(new Set([one.buffer, other.buffer]))
    expect(memory.floats(8).buffer).not.toBe(one.buffer)
  })

  test('fits exactly', () => {
    const memory = new LentMemory()
    memory.floats(8)
    memory.takeBack()
    expect([memory.floats(7).length, memory.words(9).length]).toEqual([7, 9])
  })

  test.each([
    [1 << 20, true],
    [(1 << 20) + 1, false],
  ])('of %d numbers is kept: %s', (count, isKept) => {
    const memory = new LentMemory()
    const { buffer } = memory.floats(count)
    memory.takeBack()
    expect(memory.floats(count).buffer === buffer).toBe(isKept)
  })

  test('is released if it has grown too much, and the latest piece stays valid', () => {
    const memory = new LentMemory()
    const pieces = [0, 1, 2, 3, 4].map((i) => memory.floats((1 << 20) - i).buffer)
    memory.takeBack()
    const again = [0, 1, 2, 3, 4].map((i) => memory.floats((1 << 20) - i).buffer)
    expect(again.map((piece, i) => piece === pieces[i])).toEqual([false, false, false, false, true])
  })
})

import { describe, expect, test } from 'vitest'
import { type AnsweredCall, serialOrderOf } from '#lab/torture/serial-order.ts'

const call = (
  person: number,
  source: AnsweredCall['source'],
  faceId: string,
  [start, end]: [number, number] = [0, 100],
): AnsweredCall => ({ person, start, end, source, faceId })

/** Strangers, except for some pairs. */
const alike =
  (...pairs: [number, number, number][]) =>
  (a: number, b: number) =>
    a === b ? 1 : (pairs.find(([x, y]) => (x === a && y === b) || (x === b && y === a))?.[2] ?? 0)
const order = (calls: AnsweredCall[], likeness = alike()) => serialOrderOf(calls, likeness, 0.5)

describe('a serial order is found', () => {
  test('if each person was indexed once and found afterwards', () => {
    const calls = [call(1, 'Search', 'a'), call(1, 'Index', 'a'), call(2, 'Index', 'b')]
    expect(order(calls).map(({ source }) => source)).toContain('Search')
    expect(order(calls).indexOf(calls[1]!)).toBeLessThan(order(calls).indexOf(calls[0]!))
  })

  test('if a person was mistaken for another one who came first', () => {
    const calls = [call(1, 'Index', 'a'), call(2, 'Search', 'a'), call(2, 'Search', 'a')]
    expect(order(calls, alike([1, 2, 0.6]))).toHaveLength(3)
  })

  test('if two people resemble a third one indexed between them', () => {
    const calls = [call(1, 'Index', 'a'), call(2, 'Search', 'a'), call(3, 'Index', 'c')]
    const likeness = alike([1, 2, 0.6], [2, 3, 0.7])
    expect(order(calls, likeness)).toEqual(calls)
  })
})

describe('no serial order is found', () => {
  test('if a person was indexed twice', () => {
    expect(() => order([call(1, 'Index', 'a'), call(1, 'Index', 'b')])).toThrow('should be a')
  })

  test('if two similar people were both indexed', () => {
    const calls = [call(1, 'Index', 'a'), call(2, 'Index', 'b')]
    expect(() => order(calls, alike([1, 2, 0.6]))).toThrow('should be')
  })

  test('if two faces have one id', () => {
    expect(() => order([call(1, 'Index', 'a'), call(2, 'Index', 'a')])).toThrow('given twice')
  })

  test('if a person was found as a face that was never indexed', () => {
    expect(() => order([call(1, 'Search', 'z')])).toThrow('was never indexed')
  })

  test('if a person was found as a stranger', () => {
    expect(() => order([call(1, 'Index', 'a'), call(2, 'Search', 'a')])).toThrow('should be a new face')
  })

  test('if a call had ended before the one that added the face it found', () => {
    const calls = [call(1, 'Search', 'a', [0, 10]), call(1, 'Index', 'a', [20, 30])]
    expect(() => order(calls)).toThrow('No serial order')
  })

  test('if a more similar face was there already', () => {
    const calls = [
      call(1, 'Index', 'a', [0, 10]),
      call(3, 'Index', 'c', [20, 30]),
      call(2, 'Search', 'a', [40, 50]),
    ]
    expect(() => order(calls, alike([1, 2, 0.6], [2, 3, 0.7]))).toThrow('No serial order')
  })
})

import { describe, expect, test } from 'vitest'
import type { DataSet } from '#lab/evaluate/data-set.ts'
import { labelledPictures } from '#lab/evaluate/detection/labels.ts'
import { countMatches } from '#lab/evaluate/detection/match.ts'
import { hitsOf } from '#lab/evaluate/detection.ts'

const box = (x: number, y: number, width: number, height = width) => ({ x, y, width, height })
const found = (x: number, y: number, side: number, confidence: number) => ({
  box: box(x, y, side),
  confidence,
})

describe('matching', () => {
  test.each([
    ['the same box', [found(0, 0, 100, 0.9)], [box(0, 0, 100)], 1],
    ['half of a box', [found(0, 0, 100, 0.9)], [box(0, 0, 100, 50)], 1],
    ['less than half of a box', [found(0, 0, 100, 0.9)], [box(0, 0, 100, 49)], 0],
    ['a box apart', [found(0, 0, 100, 0.9)], [box(200, 0, 100)], 0],
    ['one box twice', [found(0, 0, 100, 0.9), found(5, 0, 100, 0.8)], [box(0, 0, 100)], 1],
    ['two boxes once', [found(0, 0, 100, 0.9)], [box(0, 0, 100), box(10, 0, 100)], 1],
    ['each its own', [found(0, 0, 10, 0.5), found(50, 0, 10, 0.9)], [box(50, 0, 10), box(0, 0, 10)], 2],
    ['nothing', [], [box(0, 0, 10)], 0],
  ])('%s', (_name, faces, labelled, hits) => {
    expect(countMatches(faces, labelled, 0.5)).toBe(hits)
  })

  test('lets the more certain face take its box first', () => {
    const [sure, unsure] = [found(0, 0, 100, 0.9), found(20, 0, 100, 0.4)]
    expect(countMatches([unsure, sure], [box(5, 0, 100), box(60, 0, 100)], 0.4)).toBe(2)
  })
})

describe('labels', () => {
  const setOf = (...rows: Record<string, string>[]): DataSet => ({
    name: 'set',
    folder: '.',
    columns: new Set(),
    rows,
    tables: {},
    pairs: undefined,
  })

  test('with boxes have one row per face', () => {
    const row = (xmin: string) => ({ file: 'a.jpg', xmin, ymin: '10', xmax: '50', ymax: '70' })
    expect(labelledPictures(setOf(row('20'), row('0')))).toEqual([
      { file: 'a.jpg', faces: 2, boxes: [box(20, 10, 30, 60), box(0, 10, 50, 60)], isUpright: true },
    ])
  })

  test('without boxes count the faces, and mark those that are not upright', () => {
    const pictures = labelledPictures(
      setOf(
        { file: 'a.jpg', faces: '0' },
        { file: 'b.jpg', faces: '2', note: 'in-plane rotation 90 deg' },
        { file: 'c.jpg', faces: '', note: 'cartoon' },
        { file: 'd.jpg', faces: '1', note: 'in-plane rotation 0 deg' },
      ),
    )
    expect(pictures).toEqual([
      { file: 'a.jpg', faces: 0, boxes: undefined, isUpright: true },
      { file: 'b.jpg', faces: 2, boxes: undefined, isUpright: false },
      { file: 'd.jpg', faces: 1, boxes: undefined, isUpright: true },
    ])
    expect(hitsOf(pictures[1]!, [found(0, 0, 9, 1)], 0.5)).toBe(1)
    expect(hitsOf(pictures[0]!, [found(0, 0, 9, 1)], 0.5)).toBe(0)
  })
})

import { describe, expect, test } from 'vitest'
import type { DataSet } from '#lab/evaluate/data-set.ts'
import { emotionOf } from '#lab/evaluate/emotion/emotion-label.ts'
import { countFlag } from '#lab/evaluate/emotion/flag-counts.ts'
import { type Share, thresholdsOf } from '#lab/evaluate/emotion/flag-thresholds.ts'
import type { SeenExpression } from '#lab/evaluate/emotion/seen-expressions.ts'
import { emotion } from '#lab/evaluate/emotion.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import { packs } from '#models/rules/packs.ts'
import { noSignals, type Signals } from '#models/rules/signals.ts'
import { seenIn } from '../../support/seen.ts'

describe('the labels of emotions', () => {
  test.each([
    ['happiness', 'happy'],
    ['Anger', 'angry'],
    ['sadness', 'sad'],
    ['surprise', 'surprised'],
    ['disgust', 'disgusted'],
    [' fear ', 'fearful'],
    ['contempt', 'contempt'],
    ['hungry', undefined],
    [undefined, undefined],
  ])('%j means %j', (label, meaning) => {
    expect(emotionOf(label)).toBe(meaning)
  })
})

const seen = (
  label: string,
  signals: Partial<Signals>,
  row: Record<string, string> = {},
): SeenExpression => ({
  row: { file: 'a.png', ...row },
  person: 'a.png',
  emotion: emotionOf(label),
  expressions: undefined,
  isGood: true,
  signals: { ...noSignals, ...signals },
})

describe('the answers to a flag', () => {
  const pictures = [
    seen('happy', { happy: true }),
    seen('happy', { happy: true }),
    seen('happy', { happy: null }),
    seen('happy', { happy: false }),
    seen('sad', { happy: true }),
    seen('sad', { happy: false }),
    seen('contempt', { happy: false }),
    seen('unknown', { happy: true }),
  ]

  test('are counted if the label is known, and as answered unless they are null', () => {
    expect(countFlag('happy', pictures)).toEqual({
      pictures: 8,
      answered: 7,
      shown: 4,
      yes: 3,
      rightYes: 2,
      no: 3,
      rightNo: 2,
    })
  })

  test('have no truth if the labels do not cover them', () => {
    expect(countFlag('empathy', pictures)).toMatchObject({
      pictures: 8,
      answered: 0,
      shown: 0,
      yes: 0,
      no: 0,
    })
    expect(countFlag('contempt', pictures)).toMatchObject({ shown: 1, yes: 0, no: 0 })
    expect(countFlag('contempt', pictures.slice(0, 6))).toMatchObject({ shown: 0 })
  })

  test('take it from a column with their name', () => {
    const rows = [
      seen('', { eyesOnScreen: true }, { eyesOnScreen: '1' }),
      seen('', { eyesOnScreen: true }, { eyesOnScreen: '0' }),
    ]
    expect(countFlag('eyesOnScreen', rows)).toMatchObject({ shown: 1, yes: 2, rightYes: 1 })
  })
})

describe('the thresholds of a flag', () => {
  const shares = (set: string, value: number, shown: boolean, count: number): Share[] =>
    Array.from({ length: count }, () => ({ set, value, shown }))

  test('are the lowest at which every set is right often enough', () => {
    const some = [
      ...shares('wild', 0.75, true, 5),
      ...shares('wild', 0.75, false, 20),
      ...shares('wild', 0.99, true, 99),
      ...shares('wild', 0.99, false, 1),
      ...shares('posed', 0.55, true, 50),
      ...shares('posed', 0.01, false, 50),
      ...shares('wild', 0.15, true, 10),
      ...shares('wild', 0.01, false, 50),
    ]
    expect(thresholdsOf(some)).toEqual({ yes: 0.8, no: 0.1 })
  })

  test('are null if no share is reliable', () => {
    const some = [...shares('wild', 0.99, true, 10), ...shares('wild', 0.99, false, 10)]
    expect(thresholdsOf([...some, ...shares('wild', 0.01, true, 10)])).toEqual({ yes: null, no: null })
  })
})

describe('evaluate emotion', () => {
  const setOf = (rows: DataSet['rows']): DataSet => ({
    name: 'some',
    folder: '/some',
    columns: new Set(Object.keys(rows[0]!)),
    rows,
    tables: {},
    pairs: undefined,
  })
  const bench: Bench = {
    runtime: 'none',
    pack: packs.standard,
    threads: 1,
    decode: async () => null,
    analyse: async (path) => seenIn({ person: path === '/some/none.png' ? null : 'anna', happy: 0.99 }, {}),
    map: async (cases, _label, work) => Promise.all(cases.map(work)),
    close: async () => undefined,
  }

  test('counts a picture without a face as a wrong answer, and excludes contempt from the expressions', async () => {
    const rows = [
      { file: 'a.png', emotion: 'happiness' },
      { file: 'none.png', emotion: 'happiness' },
      { file: 'b.png', emotion: 'contempt' },
    ]
    const set = setOf(rows)
    const figures = await emotion.evaluate(set, bench, set)
    const value = (name: string) => figures.get(name)?.value
    expect(value('accuracy')).toBe(1 / 2)
    expect(value('accuracyOfFaces')).toBe(1)
    expect(value('macroF1')).toBeCloseTo(2 / 3)
    expect(value('noFace')).toBeCloseTo(1 / 3)
    expect(value('happy.precision')).toBe(1 / 2)
    expect(value('happy.recall')).toBe(1 / 2)
    expect(value('happy.coverage')).toBeCloseTo(2 / 3)
    expect(value('contempt.recall')).toBe(0)
    expect(value('contempt.coverage')).toBe(0)
    expect(value('hasFace.recall')).toBeCloseTo(2 / 3)
    for (const unknown of [
      'contempt.precision',
      'empathy.precision',
      'empathy.recall',
      'attention.precision',
    ])
      expect(value(unknown)).toBeUndefined()
    expect(figures.notes).toHaveLength(2)
  })

  test('reports nothing for a set without emotions', async () => {
    const set = setOf([{ file: 'a.png', age: '30' }])
    const { all } = await emotion.evaluate(set, bench, set)
    expect(all).toEqual([])
  })
})

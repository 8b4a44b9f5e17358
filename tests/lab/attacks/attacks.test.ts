import { beforeAll, describe, expect, test } from 'vitest'
import { furtherThan, readRecorded } from '#lab/attacks/recorded.ts'
import { flatten, type Row } from '#lab/attacks/rows.ts'
import { type RunOptions, runAttacks } from '#lab/attacks/run.ts'
import { defaultSeed } from '#lab/attacks/seeds.ts'
import { buildIfStale } from '../../../build/built.ts'
import { hasSharedData, needsSharedData } from '../../support/shared-data.ts'

/** A few people with one session each, which is enough to notice a serious regression. */
const shortly = {
  instruments: ['still', 'jittered', 'warped', 'warpedLit', 'pasted', 'bent'],
  methods: ['script'],
  challenges: ['Balanced'],
  living: [],
  people: 4,
  sessions: 1,
  untilClosed: false,
  pack: 'standard',
  data: '../shared/data',
  seed: defaultSeed,
} as const satisfies RunOptions

describe.skipIf(!hasSharedData)(`the short form of the attacks${needsSharedData}`, () => {
  beforeAll(() => buildIfStale(), 180_000)

  test('shows no instrument that succeeds more often than at the baseline', async () => {
    const rows: Row[] = []
    await runAttacks(shortly, (row) => rows.push(row))
    const figures = flatten(rows)
    for (const instrument of shortly.instruments) {
      expect(figures[`attack.${instrument}.script.balanced.apcer.n`]).toBe(shortly.people)
    }
    expect(furtherThan(readRecorded().baseline.rows, rows)).toEqual([])
  }, 240_000)
})

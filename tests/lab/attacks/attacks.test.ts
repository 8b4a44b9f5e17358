import { beforeAll, describe, expect, test } from 'vitest'
import type { InstrumentName } from '#lab/attacks/combinations.ts'
import { furtherThan, readRecorded } from '#lab/attacks/recorded.ts'
import { flatten, type Row } from '#lab/attacks/rows.ts'
import { runAttacks } from '#lab/attacks/run.ts'
import { buildIfStale } from '../../../build/built.ts'
import { hasSharedData, needsSharedData } from '../../support/shared-data.ts'

/** A few people and one session each: enough to see that a door stands open which was shut. */
const shortly = {
  methods: ['script'],
  challenges: ['Balanced'],
  living: [],
  people: 4,
  sessions: 1,
  untilClosed: false,
  pack: 'standard',
  data: '../shared/data',
} as const

describe.skipIf(!hasSharedData)(`the short form of the attacks${needsSharedData}`, () => {
  beforeAll(() => buildIfStale(), 180_000)

  test.each<InstrumentName>(['still', 'jittered', 'warped', 'warpedLit', 'pasted'])(
    '%s gets no further than it was recorded to get',
    async (instrument) => {
      const rows: Row[] = []
      await runAttacks({ ...shortly, instruments: [instrument] }, (row) => rows.push(row))
      const figures = flatten(rows)
      expect(figures[`attack.${instrument}.script.balanced.apcer.n`]).toBe(shortly.people)
      expect(furtherThan(readRecorded().now.figures, figures)).toEqual([])
    },
    120_000,
  )
})

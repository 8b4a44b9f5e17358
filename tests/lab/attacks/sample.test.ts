import { describe, expect, test } from 'vitest'
import { knownInstruments } from '#lab/attacks/combinations.ts'
import { missingParts } from '#lab/attacks/parts.ts'
import type { Row } from '#lab/attacks/rows.ts'
import { type Part, sample } from '#lab/attacks/sample.ts'

describe('the sample of attacks', () => {
  test.each([
    ['the first script without a film', 'bent', 'Balanced', 'none', 20],
    ['and with one', 'bent', 'Balanced', 'own', 40],
    ['and at the harder challenge', 'bent', 'Advanced', 'none', 10],
    ['a turn that is dodged without a film', 'dodge', 'Balanced', 'none', 12],
    ['and with one', 'dodge', 'Balanced', 'own', 12],
    ['the head as a layer', 'layers', 'Balanced', undefined, 24],
  ] as const)('has %s', (_, instrument, challenge, film, people) => {
    const part = sample.find(
      ({ instruments, methods, challenges, ...one }) =>
        instruments.includes(instrument) &&
        methods.includes('script') &&
        challenges.includes(challenge) &&
        one.film === film,
    )
    expect(part?.people).toBe(people)
  })

  test.each(knownInstruments)('tries %s at least 40 times, if the material allows it', (instrument) => {
    const tries = sample
      .filter(({ instruments }) => instruments.includes(instrument))
      .reduce((sum, { people, sessions }) => sum + people * sessions, 0)
    expect(tries).toBeGreaterThanOrEqual(40)
  })

  test('has no combination twice, so that no row replaces another', () => {
    const keys = sample.flatMap(({ instruments, methods, challenges, living, film, asked }) =>
      [...instruments, ...living].map((one) => JSON.stringify([one, methods, challenges, film, asked])),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('the rest of a sample', () => {
  const rate = { value: 0, n: 1, people: 1, low: 0, high: 1 }
  const row: Row = { name: 'attack.bent.script.balanced', figure: 'apcer', film: 'none', rate, found: {} }
  const part: Part = {
    ...{ instruments: ['bent'], methods: ['script'], challenges: ['Balanced'], living: [], film: 'none' },
    ...{ people: 1, sessions: 1 },
  }
  const living: Part = { ...part, instruments: [], living: ['bpcer'] }

  test('is empty if each row exists', () => {
    const met: Row = { name: 'living', figure: 'bpcer', rate, found: {} }
    const { film, ...alive } = living
    expect(film).toBe('none')
    expect(missingParts([part, alive], [row, met])).toEqual([])
  })

  test.each([
    ['film', { ...row, film: 'own' }],
    ['configuration', { ...row, asked: 'leastAssurance=high' }],
    ['number of people', { ...row, rate: { ...rate, people: 0 } }],
    ['challenge', { ...row, name: 'attack.bent.script.advanced' }],
  ] as const)('contains a part whose row has another %s', (_, other) => {
    expect(missingParts([part], [other])).toEqual([part])
  })

  test("contains parts that lack the requested rival's answer", () => {
    expect(missingParts([part], [row], 'human')).toEqual([part])
    expect(missingParts([part], [{ ...row, rival: { name: 'human', rate } }], 'human')).toEqual([])
  })

  test('contains conditions without living people', () => {
    expect(missingParts([living], [row])).toEqual([living])
  })
})

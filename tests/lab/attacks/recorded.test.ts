import { describe, expect, test } from 'vitest'
import { furtherThan, joined } from '#lab/attacks/recorded.ts'
import type { Row } from '#lab/attacks/rows.ts'

const rowOf = (name: string, value: number, others: Partial<Row> = {}): Row => ({
  name: `attack.${name}.script.balanced`,
  figure: 'apcer',
  film: 'own',
  rate: { value, n: 10, people: 10, low: value, high: value },
  found: {},
  ...others,
})

describe('what a run measured', () => {
  const before = { commit: 'a', rows: [rowOf('bent', 0.5), rowOf('still', 0)] }

  test('takes the place of the same combination at the same commit, and leaves the others', () => {
    const newer = { commit: 'a', rows: [rowOf('bent', 0.4)] }
    expect(joined(before, newer)).toEqual({ commit: 'a', rows: [rowOf('still', 0), rowOf('bent', 0.4)] })
  })

  test('drops every row of another commit, also of combinations that it did not measure', () => {
    const newer = { commit: 'b', rows: [rowOf('bent', 0.4)] }
    expect(joined(before, newer)).toEqual(newer)
  })

  test.each([
    ['film', rowOf('bent', 1, { film: 'none' })],
    ['figure', rowOf('bent', 1, { figure: 'bpcer' })],
    ['pack', rowOf('bent', 1, { name: 'attack.bent.script.balanced/extended' })],
  ])('stands beside a row with another %s', (_, other) => {
    expect(joined(before, { commit: 'a', rows: [other] }).rows).toHaveLength(3)
  })
})

describe('an instrument that gets further than was recorded', () => {
  const recorded = [rowOf('bent', 0.2)]
  const measured = (low: number, others: Partial<Row> = {}) =>
    rowOf('bent', 0.5, { rate: { value: 0.5, n: 10, people: 10, low, high: 0.9 }, ...others })

  test.each([
    ['lies above it with its whole interval', 0.3, ['attack.bent.script.balanced.apcer']],
    ['may lie above by chance', 0.15, []],
  ])('%s', (_, low, further) => {
    expect(furtherThan(recorded, [measured(low)])).toEqual(further)
  })

  test('is one that was never recorded, with this film', () => {
    expect(furtherThan(recorded, [measured(0, { film: 'none' })])).toHaveLength(1)
  })
})

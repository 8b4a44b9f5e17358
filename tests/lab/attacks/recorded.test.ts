import { describe, expect, test } from 'vitest'
import { measuredState } from '#lab/attacks/measured-commit.ts'
import { furtherThan, readRecorded, withBaselineRows, withRows } from '#lab/attacks/recorded.ts'
import type { Row } from '#lab/attacks/rows.ts'

const rowOf = (name: string, value: number, others: Partial<Row> = {}): Row => ({
  name: `attack.${name}.script.balanced`,
  figure: 'apcer',
  film: 'own',
  rate: { value, n: 10, people: 10, low: value, high: value },
  found: {},
  ...others,
})

describe('the rows of a run', () => {
  const baseline = { commit: 'first', rows: [rowOf('bent', 0.9)] }
  const before = { commit: 'a', sources: '1', rows: [rowOf('bent', 0.5), rowOf('still', 0)], baseline }

  test('replace those of the same combination at the same sources, and keep the others', () => {
    const state = { commit: 'b', sources: '1' }
    const rows = [rowOf('still', 0), rowOf('bent', 0.4)]
    expect(withRows(before, state, [rowOf('bent', 0.4)])).toEqual({ ...state, rows, baseline })
  })

  test('drop every row of other sources, but never the baseline', () => {
    const state = { commit: 'b', sources: '2' }
    const rows = [rowOf('bent', 0.4)]
    expect(withRows(before, state, rows)).toEqual({ ...state, rows, baseline })
    expect(withRows(before, state, [])).toEqual({ ...state, rows: [], baseline })
  })

  test('join a baseline of the same commit, or start one for another commit', () => {
    const still = rowOf('still', 0.1)
    expect(withBaselineRows(before, 'first', [still]).baseline.rows).toEqual([rowOf('bent', 0.9), still])
    expect(withBaselineRows(before, 'other', [still]).baseline).toEqual({ commit: 'other', rows: [still] })
    expect(withBaselineRows(before, 'other', [still]).rows).toEqual(before.rows)
  })

  test.each([
    ['film', rowOf('bent', 1, { film: 'none' })],
    ['configuration', rowOf('bent', 1, { asked: 'leastAssurance=standard' })],
    ['figure', rowOf('bent', 1, { figure: 'bpcer' })],
    ['pack', rowOf('bent', 1, { name: 'attack.bent.script.balanced/extended' })],
  ])('stay beside a row with another %s', (_, other) => {
    expect(withRows(before, before, [other]).rows).toHaveLength(3)
  })
})

describe('an instrument that succeeds more often than recorded', () => {
  const recorded = [rowOf('bent', 0.2)]
  const measured = (low: number, others: Partial<Row> = {}) =>
    rowOf('bent', 0.5, { rate: { value: 0.5, n: 10, people: 10, low, high: 0.9 }, ...others })

  test.each([
    ['lies above it with its whole interval', 0.3, ['attack.bent.script.balanced.apcer']],
    ['may lie above by chance', 0.15, []],
  ])('%s', (_, low, further) => {
    expect(furtherThan(recorded, [measured(low)])).toEqual(further)
  })

  test('includes one that was never recorded with this film', () => {
    expect(furtherThan(recorded, [measured(0, { film: 'none' })])).toHaveLength(1)
  })
})

/** Edited sources have no recorded rows. Without git, there is no state at all. */
function stateOrNone() {
  try {
    return measuredState()
  } catch {
    return undefined
  }
}

const state = stateOrNone()

test.skipIf(state === undefined)('no row is recorded that was measured at other sources than these', () => {
  const { rows, sources } = readRecorded()
  const isStale = rows.length > 0 && sources !== state!.sources
  expect(isStale, 'run `npm run attack -- --record` again, or `-- --page` to drop the rows').toBe(false)
})

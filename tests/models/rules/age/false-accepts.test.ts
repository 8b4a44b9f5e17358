import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseCsv } from '#lab/csv.ts'
import { falseAcceptsOf, measuredThresholds } from '#models/rules/age/false-accepts.ts'

const measured = parseCsv(
  readFileSync(new URL('../../../../docs/data/accuracy/tables.csv', import.meta.url), 'utf8'),
)

/** A group's cells below a limit, by the margin or `n`. */
function cellsOf(threshold: number, ages: string): ReadonlyMap<string, string> {
  const title = `Wrong passes of an age limit of ${threshold} by margin in years`
  const cells = measured.filter(
    ({ set, table, row }) => set === 'utkface' && table === title && row === `${ages} years`,
  )
  return new Map(cells.map(({ column, value }) => [column!, value!]))
}

const percent = (share: number) => (share * 100).toFixed(1)

describe('falseAcceptsOf', () => {
  test.each(measuredThresholds)('matches docs/data/accuracy for %i', (threshold) => {
    const { ages, count } = falseAcceptsOf(threshold, 0)!
    const [n, ...cells] = [...cellsOf(threshold, ages).values()]
    expect(Number(n)).toBe(count)
    for (const [i, margin] of [0, 2, 3, 5, 7, 10].entries()) {
      const { rate, low, high, marginInYears } = falseAcceptsOf(threshold, margin)!
      expect(marginInYears).toBe(margin)
      expect(cells[i]).toBe(`${percent(rate)} % [${percent(low)}, ${percent(high)}]`)
    }
  })

  test('uses the next smaller measured margin, never a larger one', () => {
    expect(falseAcceptsOf(18, 4)!.marginInYears).toBe(3)
    expect(falseAcceptsOf(18, 6.9)!.marginInYears).toBe(5)
    expect(falseAcceptsOf(18, 40)!.marginInYears).toBe(10)
  })

  test('returns null for a limit without a measurement', () => {
    expect(falseAcceptsOf(21, 10)).toBeNull()
  })
})

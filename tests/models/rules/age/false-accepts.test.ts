import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { falseAcceptsOf, measuredThresholds } from '#models/rules/age/false-accepts.ts'

const page = readFileSync(new URL('../../../../docs/accuracy.md', import.meta.url), 'utf8')
const utkface = page.slice(page.indexOf('### utkface', page.indexOf('Wrong passes') - 20_000))

/** The cells of the page's row for a group, in the table of the limit. */
function rowOf(threshold: number, ages: string): string[] {
  const title = `**Wrong passes of an age limit of ${threshold} by margin in years**`
  const table = utkface.slice(utkface.indexOf(title))
  const line = table.split('\n').find((text) => text.startsWith(`| ${ages} years |`))
  return line!.split('|').map((cell) => cell.trim())
}

const percent = (share: number) => (share * 100).toFixed(1)

describe('falseAcceptsOf', () => {
  test.each(measuredThresholds)('matches docs/accuracy.md for %i', (threshold) => {
    const { ages, count } = falseAcceptsOf(threshold, 0)!
    const [, , n, ...cells] = rowOf(threshold, ages)
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

import { describe, expect, test } from 'vitest'
import { readRecorded } from '#lab/attacks/recorded.ts'
import { attacksReport } from '#lab/attacks/report/attacks-report.ts'
import { readPage } from '../../../support/document-pages.ts'

const warped = 'attack.warped.script.balanced.apcer'
const rate = (name: string, value: number) => ({
  [name]: value,
  [`${name}.n`]: 300,
  [`${name}.people`]: 100,
  [`${name}.low`]: value / 2,
  [`${name}.high`]: Math.min(1, value * 1.5),
})

describe('docs/attacks.md', () => {
  test('is what was recorded', () => {
    expect(readPage('docs/attacks.md').text).toBe(attacksReport(readRecorded()))
  })

  test('shows before and now beside each other', () => {
    const text = attacksReport({
      before: { commit: 'old', figures: rate(warped, 0.8) },
      now: { commit: 'new', figures: rate(warped, 0.1) },
    })
    expect(text).toContain('80 % [40, 100]; 240 of 300, 100 people')
    expect(text).toContain('10 % [5, 15]; 30 of 300, 100 people')
    expect(text).toContain('Balanced, before')
  })

  test('has a chapter for each pack', () => {
    const text = attacksReport({ now: { commit: 'new', figures: { ...rate(warped, 0.5), ...packed } } })
    expect(text).toContain('### With the pack `extended`')
    expect(text).toContain('20 % [10, 30]; 60 of 300, 100 people')
  })
})

const packed = Object.fromEntries(
  Object.entries(rate(warped, 0.2)).map(([name, value]) => [
    name.replace('.apcer', '.apcer.extended'),
    value,
  ]),
)

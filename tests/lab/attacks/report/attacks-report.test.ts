import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readRecorded } from '#lab/attacks/recorded.ts'
import { attacksData } from '#lab/attacks/report/attacks-data.ts'
import { attacksReport } from '#lab/attacks/report/attacks-report.ts'
import type { Row } from '#lab/attacks/rows.ts'
import { readPage } from '../../../support/document-pages.ts'

const rate = (value: number) => ({
  value,
  n: 300,
  people: 100,
  low: value / 2,
  high: Math.min(1, value * 1.5),
})
const bent: Row = {
  name: 'attack.bent.script.balanced',
  figure: 'apcer',
  film: 'none',
  rate: rate(0.5),
  atStandard: rate(0.2),
  atHigh: rate(0.1),
  found: { cueBroken: 3 },
}

const measured = { commit: 'abc', sources: '1', baseline: { commit: 'before', rows: [] } }
const nothing = { ...measured, rows: [] }

describe('docs/attacks.md', () => {
  test('matches the record', () => {
    expect(readPage('docs/attacks.md').text).toBe(attacksReport(readRecorded()))
  })

  test('shows for each row its film, its challenge and each level with count and interval', () => {
    const text = attacksReport({ ...measured, rows: [bent, { ...bent, film: 'own', rate: rate(0.4) }] })
    expect(text).toContain('measured at `abc`')
    expect(text).toContain(
      '| `bent` | script | none | Balanced | 150 of 300, 100 people [25, 75 %] | 60 of 300, 100 people [10, 30 %] | 30 of 300, 100 people [5, 15 %] |',
    )
    expect(text).toContain('| `bent` | script | its own | Balanced | 120 of 300')
  })

  test('has no row for an instrument that was not measured', () => {
    const text = attacksReport({ ...measured, rows: [bent] })
    expect(text.match(/^\| `\w+` \| script \|/gm)).toEqual(['| `bent` | script |'])
    expect(text).not.toContain('Living people: visits')
  })

  test('mentions that nothing was measured', () => {
    const text = attacksReport({ ...measured, rows: [] })
    expect(text).toContain('Nothing is recorded')
    expect(text).not.toContain('abc')
  })

  test('shows the baseline separately, under its commit', () => {
    const text = attacksReport({ ...nothing, baseline: { commit: 'abc', rows: [bent] } })
    expect(text).toContain('Nothing is recorded')
    expect(text.indexOf('product of `abc`')).toBeGreaterThan(text.indexOf('### The baseline'))
    expect(text.indexOf('| `bent`', text.indexOf('### The baseline'))).toBeGreaterThan(0)
  })

  test('leaves out of the baseline what was measured since', () => {
    const before = { commit: 'before', rows: [bent, { ...bent, film: 'own' as const }] }
    const text = attacksReport({ ...measured, rows: [{ ...bent, rate: rate(0.4) }], baseline: before })
    expect(text).toContain('| none | Balanced | 120 of 300')
    expect(text).not.toContain('| none | Balanced | 150 of 300')
    expect(text.indexOf('| its own | Balanced | 150 of 300')).toBeGreaterThan(
      text.indexOf('### The baseline'),
    )
  })

  test("shows the verification's settings next to the challenge, and for living people the rival's answers", () => {
    const at = { ...bent, asked: 'leastAssurance=standard' }
    const rival = { name: 'human', rate: rate(0.6) } as const
    const living: Row = { name: 'living', figure: 'bpcer', rate: rate(0), rival, found: {} }
    const text = attacksReport({ ...measured, rows: [at, living] })
    expect(text).toContain('| none | Balanced, `leastAssurance=standard` | 150 of 300')
    expect(text).toContain('| camera | challenge | Fail | taken for living by `human` |')
    expect(text).toContain(
      '| as filmed | Balanced | 0 of 300, 100 people [0, 0 %] | 180 of 300, 100 people [30, 90 %] |',
    )
  })

  test('has a chapter for each pack', () => {
    const text = attacksReport({ ...measured, rows: [bent, { ...bent, name: `${bent.name}/extended` }] })
    expect(text).toContain('### With the pack `extended`')
    expect(text.match(/150 of 300/g)).toHaveLength(2)
  })
})

describe('docs/data/attacks.csv', () => {
  test('is what was recorded', () => {
    expect(readFileSync('docs/data/attacks.csv', 'utf8')).toBe(attacksData(readRecorded()))
  })

  test('has a line for each row with its shares, their bounds and what was found', () => {
    const lines = attacksData({ ...measured, rows: [bent] }).split('\n')
    expect(lines[1]).toBe(
      'abc,attack.bent.script.balanced,apcer,,none,,0.5,300,100,0.25,0.75,0.2,300,100,0.1,0.30000000000000004,0.1,300,100,0.05,0.15000000000000002,,,,,,,,,,,cueBroken 3',
    )
  })
})

import { describe, expect, test } from 'vitest'
import { stageTable } from '../../build/stage-table.ts'

const check = (name: string, seconds: number, slowest: { title: string; seconds: number }[] = []) => ({
  name,
  seconds,
  slowest,
})

describe('the table of stages', () => {
  test('adds stages up by the clock, not by the checks that ran concurrently', () => {
    const stages = [
      { seconds: 61.04, checks: [check('lint', 12), check('types', 61)] },
      { seconds: 100, checks: [check('flood', 100)] },
    ]
    expect(stageTable(stages)).toEqual([
      '    61.0 s  at once:',
      '    12.0 s    lint',
      '    61.0 s    types',
      '   100.0 s  flood',
      '   161.0 s  in all',
    ])
  })

  test('has no line for a stage that was not requested', () => {
    const stages = [
      { seconds: 0.01, checks: [] },
      { seconds: 2, checks: [check('fuzz', 2)] },
    ]
    expect(stageTable(stages)).toEqual(['     2.0 s  fuzz', '     2.0 s  in all'])
  })

  test('names the slowest files of each runner below it, in their given order', () => {
    const slowest = [
      { title: 'tests/a.test.ts', seconds: 9.26 },
      { title: 'tests/b.test.ts', seconds: 1 },
    ]
    const stages = [{ seconds: 10, checks: [check('vitest', 10, slowest)] }]
    expect(stageTable(stages).slice(2)).toEqual([
      '',
      'slowest files of vitest:',
      '     9.3 s  tests/a.test.ts',
      '     1.0 s  tests/b.test.ts',
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { patternOf, rowsNamed, rowsOf } from '#lab/defences/defence.ts'

const csv = [
  'row,what,proof',
  '1.2.1,escaped,"`tests/a.test.ts` “is %s”, “is not”, `tests/b.test.ts` “holds”; more"',
  '1.2.10,known,`tests/c.test.ts` “knows”',
  '1.3.1,markup,none is taken',
].join('\n')
const rows = rowsOf(csv, 'row', 'proof')

describe('a row', () => {
  test('is read with each test that it cites; rows without one are left out', () => {
    expect(rows).toEqual([
      {
        name: '1.2.1',
        tests: [
          ['tests/a.test.ts', 'is %s'],
          ['tests/a.test.ts', 'is not'],
          ['tests/b.test.ts', 'holds'],
        ],
      },
      { name: '1.2.10', tests: [['tests/c.test.ts', 'knows']] },
    ])
  })

  test('is matched by its whole name, or by the beginning of it', () => {
    const named = (name: string) => rowsNamed(rows, name).map((row) => row.name)
    expect(named('1.2.1')).toEqual(['1.2.1'])
    expect(named('1.2.10')).toEqual(['1.2.10'])
    expect(named('1.2')).toEqual(['1.2.1', '1.2.10'])
    expect(named('2')).toEqual([])
  })
})

describe('the title of a test', () => {
  test.each([
    ['is %s', 'is anything', true],
    ['of %j it keeps %.60s', 'of {"a":1} it keeps b', true],
    ["needs ${scope ?? 'no scope'}, and no other", 'needs admin, and no other', true],
    ['$name: $may', 'getKeys: od', true],
    ['knows (once)', 'knows (once)', true],
    ['knows', 'also knows', false],
    ['is', 'is not', false],
    ['a.b', 'aXb', false],
  ])('%s has the reported title %s: %s', (title, reported, expected) => {
    expect(patternOf(title).test(reported)).toBe(expected)
  })
})

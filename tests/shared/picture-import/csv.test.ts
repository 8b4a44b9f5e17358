import { expect, test } from 'vitest'
import { csvLine, readCsv } from '#shared/picture-import/csv.ts'

test.each([
  [['a', 'b']],
  [['', '']],
  [['a,b', 'say "so"', 'two\r\nlines', 'ä\u{1F642}']],
  [['=1+1', '-1', '+1', '@x', "'quoted", '\tx']],
])('reads what it wrote: %j', (cells) => {
  expect(readCsv(csvLine(cells), false).rows).toEqual([cells])
})

test.each(['=1+1', '-1', '+1', '@x'])('writes %s so that no spreadsheet computes it', (cell) => {
  expect(csvLine([cell])).toBe(`'${cell}\r\n`)
})

test('leaves the apostrophe of a name in somebody’s own table', () => {
  expect(readCsv("anna.jpg,'t Hoen\n", true).rows).toEqual([['anna.jpg', "'t Hoen"]])
})

test('reads the ends of lines of every system, and leaves out empty ones', () => {
  expect(readCsv('a,b\nc,d\r\n\r\ne,f\rg,h', true).rows).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
    ['g', 'h'],
  ])
})

test.each(['x,y\r\na,', 'x,y\r\na', 'x,y\r\n"a\r\nb', 'x,y\r\n'])(
  'drops a row that was cut off: %j',
  (text) => {
    const { rows, length } = readCsv(text, false)
    expect(rows).toEqual([['x', 'y']])
    expect(text.slice(0, length)).toBe('x,y\r\n')
  },
)

test('takes a quotation mark within a cell for itself', () => {
  expect(readCsv('a"b,c\n', false).rows).toEqual([['a"b', 'c']])
})

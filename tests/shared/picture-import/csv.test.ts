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

test.each(['=1+1', '-1', '+1', '@x'])('writes %s so that no spreadsheet evaluates it', (cell) => {
  expect(csvLine([cell])).toBe(`'${cell}\r\n`)
})

test('keeps the apostrophe of a name in a foreign table', () => {
  expect(readCsv("anna.jpg,'t Hoen\n", true).rows).toEqual([['anna.jpg', "'t Hoen"]])
})

test('reads the line endings of every system, and skips empty lines', () => {
  expect(readCsv('a,b\nc,d\r\n\r\ne,f\rg,h', true).rows).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
    ['g', 'h'],
  ])
})

test.each(['x,y\r\na,', 'x,y\r\na', 'x,y\r\n"a\r\nb', 'x,y\r\n'])('drops a truncated row: %j', (text) => {
  const { rows, length } = readCsv(text, false)
  expect(rows).toEqual([['x', 'y']])
  expect(text.slice(0, length)).toBe('x,y\r\n')
})

test('keeps a quotation mark inside a cell', () => {
  expect(readCsv('a"b,c\n', false).rows).toEqual([['a"b', 'c']])
})

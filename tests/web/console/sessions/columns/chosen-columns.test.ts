import { expect, test } from 'vitest'
import { readColumns, writeColumns } from '#web/console/sessions/columns/chosen-columns.ts'

function storage(text: string | null) {
  let kept = text
  return {
    getItem: () => kept,
    setItem: (_: string, value: string) => {
      kept = value
    },
  }
}

test('columns are the usual ones until others are chosen; what is no column is ignored', () => {
  const own = storage(null)
  expect(readColumns(own)).toContain('reasons')
  writeColumns(own, ['session', 'tries'])
  expect(readColumns(own)).toEqual(['tries', 'session'])
  expect(readColumns(storage('["tries","x"]'))).toEqual(['tries'])
  expect(readColumns(storage('{'))).toEqual(readColumns(storage(null)))
})

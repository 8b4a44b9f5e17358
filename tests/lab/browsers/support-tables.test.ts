import { describe, expect, test } from 'vitest'
import { supportPage, supportTables, withTables } from '#lab/browsers/support-tables.ts'
import { readPage } from '../../support/document-pages.ts'

describe(supportPage, () => {
  const { text } = readPage(supportPage)

  test('has the tables that follow from the lists', () => expect(text).toBe(withTables(text)))

  test('has a row for each untested browser', () => {
    expect(supportTables().trials).toContain('| Safari on an iPhone |  |  |')
  })

  test('would not lose a table whose marker is gone', () => {
    expect(() => withTables(text.replace('<!-- needs -->', ''))).toThrow('no place for needs')
  })
})

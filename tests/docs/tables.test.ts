import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { callsPage, callsTable } from '#lab/calls-table.ts'
import { withMarkedPlace } from '#lab/marked-place.ts'
import { programsPage, programsTable } from '#lab/programs-table.ts'
import { readPage } from '../support/document-pages.ts'

describe('a generated table', () => {
  test.each([
    [callsPage, 'calls', callsTable()],
    [programsPage, 'programs', programsTable()],
  ])('of %s is current (npm run tables writes it)', (path, mark, table) => {
    const { text } = readPage(path)
    expect(text).toBe(withMarkedPlace(text, mark, table, path))
  })

  test('of calls has every call of docs/openapi.json once', () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, unknown>>
    }
    const described = Object.entries(paths).flatMap(([path, calls]) =>
      Object.keys(calls).map((method) => `${method.toUpperCase()} \`${path}\``),
    )
    const listed = callsTable()
      .split('\n')
      .slice(2)
      .map((line) => line.split(' | ')[1]!)
    expect(listed.sort()).toEqual(described.sort())
  })
})

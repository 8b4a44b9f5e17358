import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mostOperations, wideTypesIn } from './interfaces.ts'
import { sourcePaths } from './source-file.ts'
import { readPage } from './words.ts'

const root = resolve(import.meta.dirname, '../..')
/** The index of faces and the sessions have their own borders. */

const methods = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `  method${from + i}(): void`).join('\n')

describe('an interface', () => {
  test('of the code has at most 12 operations, and no parameter is an intersection of more than two types', {
    timeout: 60_000,
  }, () => {
    const paths = sourcePaths(root).filter((path) => /^(shared|models|workers|web|server)\//.test(path))
    expect(paths.length).toBeGreaterThan(1000)
    expect(wideTypesIn(Object.fromEntries(paths.map((path) => [path, readPage(root, path)])))).toEqual([])
  })

  test('is refused with more operations', () => {
    expect(
      wideTypesIn({ 'server/app/planted.ts': `interface Store {\n${methods(mostOperations + 1)}\n}` }),
    ).toEqual(['server/app/planted.ts: Store has 13 operations'])
  })

  test('counts what it inherits, once', () => {
    const base = `export interface Base {\n${methods(7)}\n  readonly run: () => void\n}`
    const extending = (count: number) => ({
      'server/app/base.ts': base,
      'server/app/planted.ts': `import type { Base } from './base.ts'\ninterface Store extends Base {\n${methods(count, 5)}\n}`,
    })
    expect(wideTypesIn(extending(6))).toEqual([])
    expect(wideTypesIn(extending(7))).toEqual(['server/app/planted.ts: Store has 13 operations'])
  })

  test('may be a record with many members', () => {
    const members = methods(30).replaceAll('(): void', ': string')
    expect(wideTypesIn({ 'models/planted.ts': `interface Verdict {\n${members}\n}` })).toEqual([])
  })

  test.each([
    ['function a(given: A & B & C) {}', 1],
    ['function a(given: A & B) {}', 0],
  ])('%s breaks the rule on parameters %i times', (text, count) => {
    expect(wideTypesIn({ 'web/planted.ts': text })).toHaveLength(count)
  })
})

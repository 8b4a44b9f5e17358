import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sourcePaths } from './source-file.ts'
import { bareParticiplesIn, oldNamesIn, oldPhrasesIn, readPage } from './words.ts'

const root = resolve(import.meta.dirname, '../..')

/** Texts that people read: pages, messages from the API and the server, and the English screens. */
const pages =
  /^(README|SECURITY)\.md$|^docs\/.*\.md$|^(shared|server)\/.*\.ts$|^web\/(.*\/)?wording\/en(\.ts$|\/)/

function pagePaths(): string[] {
  return ['.', 'docs', 'shared', 'server', 'web']
    .flatMap((folder) =>
      readdirSync(resolve(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map((name) =>
        folder === '.' ? name : `${folder}/${name}`,
      ),
    )
    .filter((path) => pages.test(path))
}

describe('names use the words of the field', () => {
  test('everywhere', { timeout: 60_000 }, () => {
    const paths = sourcePaths(root)
    expect(paths.length).toBeGreaterThan(1000)
    expect(paths.flatMap((path) => oldNamesIn(path, readPage(root, path)))).toEqual([])
  })

  test.each([
    ['workers/planted.ts', 'const Making = 1', 'LoweringContext'],
    ['web/planted.tsx', 'export function told() {}', 'reported'],
    ['web/planted.tsx', 'interface ToldRow { readonly id: string }', 'reported'],
    ['lab/planted.ts', 'function mean({ isTold }: Row) {}', 'reported'],
    ['shared/planted.ts', 'class Planted { readonly #told = 1 }', 'reported'],
    ['server/planted.ts', 'const { value: middle } = found', 'median'],
    ['models/planted.ts', 'type Weighed = { readonly former: number }', 'weighted'],
    ['models/planted.ts', 'interface Row { readonly besideLine: number }', 'near'],
    ['tests/planted.ts', 'export const told = 1', 'reported'],
    ['lab/bench/planted.ts', 'const bent = 1', 'activation'],
  ])('in %s, `%s` is refused', (path, text, now) => {
    expect(oldNamesIn(path, text)).toEqual([expect.stringContaining(now)])
  })

  test.each([
    ['tests/planted.test.ts', 'const told = 1'],
    ['lab/attacks/instruments/bent.ts', 'export const bent = 1'],
    ['web/planted.ts', 'const { told: reported } = window.elsewhere'],
    ['web/planted.ts', 'console.log(elsewhere.told)'],
  ])('in %s, `%s` is not', (path, text) => {
    expect(oldNamesIn(path, text)).toEqual([])
  })
})

describe('an exported type is named by a noun', () => {
  /** These features name some records by what happened to them. */

  test('everywhere', { timeout: 60_000 }, () => {
    const paths = sourcePaths(root).filter((path) => !/^(tests|e2e)\//.test(path))
    expect(paths.length).toBeGreaterThan(1000)
    expect(paths.flatMap((path) => bareParticiplesIn(path, readPage(root, path)))).toEqual([])
  })

  test.each([
    'export interface Found { readonly face: number }',
    "export type Judged = 'Pass' | 'Fail'",
    'export type Standing = { readonly state: string }',
    'export class Unsent extends Error {}',
    'export interface Committing { readonly pool: Pool }',
  ])('`%s` is refused', (text) => {
    expect(bareParticiplesIn('lab/planted.ts', text)).toHaveLength(1)
  })

  test.each([
    'export interface FaceMatch { readonly face: number }',
    'export type Reading = number',
    'interface Found { readonly face: number }',
    'export const found = 1',
  ])('`%s` is not', (text) => {
    expect(bareParticiplesIn('lab/planted.ts', text)).toEqual([])
  })
})

describe('pages, messages and screens read like native English', () => {
  test('everywhere', () => {
    const paths = pagePaths()
    expect(paths.length).toBeGreaterThan(500)
    expect(paths.flatMap((path) => oldPhrasesIn(path, readPage(root, path)))).toEqual([])
  })

  test.each([
    'a camera opens over nothing else',
    'those of before there was assurance',
    'three runs; seconds, the middle',
    'the middle of twelve instructions',
    'a drawing that stands beside a word',
    'The key itself. It is told here and never again.',
    'a repeat lacks what is told once',
    'what is told of a failure goes to the log',
  ])('`%s` is refused', (text) => {
    expect(oldPhrasesIn('docs/planted.md', text)).toEqual([expect.stringContaining('docs/planted.md:1')])
  })
})

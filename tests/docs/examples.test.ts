import { beforeAll, describe, expect, test } from 'vitest'
import { compileAsUser } from '../support/compile-as-user.ts'
import { documentPages, examplesOf, readPage } from '../support/document-pages.ts'
import { ensureBuiltClient } from '../support/programs/built-client.ts'

beforeAll(ensureBuiltClient, 180_000)

/** Each page's examples as a single program. Pages without examples are left out. */
const programs = Object.fromEntries(
  documentPages()
    .map((page) => [page.path, examplesOf(page, 'ts')] as const)
    .filter(([, examples]) => examples.length > 0)
    .map(([path, examples]) => [`${path.replaceAll(/[/.]/g, '-')}.ts`, examples.join('\n')]),
)

describe('the TypeScript of the pages', () => {
  test('is found', () => {
    expect(Object.keys(programs)).toEqual(
      expect.arrayContaining(['README-md.ts', 'docs-integrate-md.ts', 'docs-calls-md.ts']),
    )
    expect(examplesOf(readPage('docs/integrate.md'), 'ts').length).toBeGreaterThan(4)
  })

  test('compiles for a user of the client, in the order of the page', async () => {
    expect(await compileAsUser(programs, 'bundler')).toBe('')
  })
})

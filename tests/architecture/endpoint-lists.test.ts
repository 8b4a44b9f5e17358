import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue } from '#shared/contract/catalogue.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { watchSessions } from '#shared/contract/console/events.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { readText } from './constants.ts'
import { endpointListsIn } from './endpoint-lists.ts'
import { sourcePaths } from './source-file.ts'

const root = resolve(import.meta.dirname, '../..')

const known: Readonly<Record<string, Endpoint>> = Object.assign(
  { watchSessions },
  ...Object.values(catalogue),
  consoleCatalogue,
)
const words = {
  names: new Set(Object.keys(known)),
  paths: new Set(Object.values(known).map(({ path }) => path)),
}

const listsIn = (path: string, text: string) => endpointListsIn(path, text, words)

/** This file reads audit entries rather than calls: an undo is identified by the name it was logged under. */
const readsEntries = ['server/features/audit/chain.ts']

describe('facts about endpoints are declared on the endpoints', () => {
  const product = sourcePaths(root).filter(
    (path) => /^(shared|workers|web|server)\//.test(path) && !readsEntries.includes(path),
  )
  const contract = product.filter((path) => path.startsWith('shared/contract/'))

  test('finds endpoints to look for', () => {
    expect(words.names.size).toBeGreaterThan(100)
    expect(product.length).toBeGreaterThan(500)
  })

  test('finds no file with a second list of them', () => {
    const found = product.flatMap((path) =>
      endpointListsIn(path, readText(root, path), wordsFor(path)).map((list) => `${path}: ${list}`),
    )
    expect(found).toEqual([])
  })

  test.each([
    ['a set of names', `const unrecorded = new Set(['createSignature', 'searchFace'])`],
    ['a set of paths', `const unrecorded = ['/v1/signature/create']`],
    ['a list of values', `const openers = [initRedirectSession, takeHandoff]`],
    ['a table by names', `const may = { createKey: builders, getKeys: everybody }`],
    ['a table that is computed', `const may = { createKey: allow('owner'), getKeys: allow('viewer') }`],
    [
      'a table of facts in a function',
      `const of = () => ({ createKey: 'keyMade', setPrimaryKey: 'keySent' })`,
    ],
    ['a question for a name', `const is = (name: string) => name === 'updateWebhookEndpoint'`],
    ['a question for a path', `const is = (path: string) => path === '/v1/person/delete'`],
  ])('%s is found', (_, text) => {
    expect(listsIn('server/planted.ts', text)).toHaveLength(1)
  })

  test.each([
    [
      'handlers',
      `const of = () => ({ createKey: async () => ({}), getKeys: service.getKeys, async getAccount() {} })`,
    ],
    [
      'handlers created by a call',
      `const of = (made: X) => ({ getSessions: createGetSessions(made), getUsage: createGetUsage(made) })`,
    ],
    ['the endpoints of a contract file', `export const tokens = { getToken, getUtcNow }`],
    ['one name', `const told = { createKey: 'keyMade' }`],
  ])('%s are not reported', (_, text) => {
    expect(listsIn('server/planted.ts', text)).toEqual([])
  })

  test('every endpoint of the contract is grouped by its file and listed in a catalogue', () => {
    const defined = contract.flatMap((path) => namesOfEndpoints(readText(root, path)))
    expect(defined.length).toBeGreaterThan(100)
    expect(defined.filter((name) => !words.names.has(name))).toEqual([])
  })

  test.each([
    ['exported', 'export const forgotten = endpoint({'],
    ['its own', 'const forgotten = endpoint({'],
  ])('an endpoint without a catalogue is found, %s', (_, text) => {
    expect(namesOfEndpoints(`${text}\n  method: 'GET',\n})`)).toEqual(['forgotten'])
    expect(words.names.has('forgotten')).toBe(false)
  })
})

/** The endpoints that a contract file defines. */
function namesOfEndpoints(text: string): string[] {
  return [...text.matchAll(/^(?:export )?const (\w+) = endpoint\(/gm)].map(([, name]) => name!)
}

/** Only matches paths outside the file that defines the endpoint. */
function wordsFor(path: string) {
  return path.startsWith('shared/contract/') ? { ...words, paths: new Set<string>() } : words
}

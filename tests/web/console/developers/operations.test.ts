import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { consoleOperations } from '#shared/contract/console-operations.ts'
import {
  type ApiDocument,
  addressOf,
  curlOf,
  isFor,
  matching,
  operationsOf,
  readable,
} from '#web/console/developers/operations.ts'

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ApiDocument
const operations = operationsOf(document)
const named = (name: string) => operations.find((one) => one.name === name)!

describe('the endpoints that can be tried', () => {
  test('are all that a person may call in the console, by path', () => {
    const open = Object.entries(consoleOperations).filter(([, { roles }]) => roles.length > 0)
    expect(operations.map(({ name }) => name).sort()).toEqual(open.map(([name]) => name).sort())
    const paths = operations.map(({ path }) => path)
    expect(paths).toEqual([...paths].sort((a, b) => a.localeCompare(b)))
  })

  test('describe their query, and begin with a working body', () => {
    expect(named('getSessions').query.find(({ name }) => name === 'order')).toMatchObject({
      isRequired: false,
      choices: ['newest', 'leastCertain'],
    })
    expect(named('getSessionTimeline')).toMatchObject({
      method: 'GET',
      query: [{ name: 'verificationSessionId', isRequired: true, choices: [] }],
      example: undefined,
    })
    expect(named('createSession').example).toMatchObject({ verifierConfigs: expect.anything() })
    expect(named('rotateSigningKey').example).toEqual({})
  })

  test('are found by every word of a search', () => {
    expect(matching(operations, 'SESSION timeline').map(({ name }) => name)).toEqual(['getSessionTimeline'])
    expect(matching(operations, 'nowhere')).toEqual([])
    expect(matching(operations, '')).toEqual(operations)
  })

  test('depend on the role', () => {
    expect(isFor('viewer', named('getSessions'))).toBe(true)
    expect(isFor('viewer', named('createSession'))).toBe(false)
  })
})

describe('a call', () => {
  test('goes to the console, without empty members', () => {
    const query = { state: '', externalId: 'a b&c' }
    expect(addressOf(named('getSessions'), query)).toBe(
      '/console/api/v1/verification/get-sessions?externalId=a+b%26c',
    )
    expect(addressOf(named('getSessions'), {})).toBe('/console/api/v1/verification/get-sessions')
  })

  test('is shown as a shell command with a key that is stored nowhere', () => {
    expect(curlOf('https://x', named('getSessions'), { externalId: "it's" })).toBe(
      `curl -sS 'https://x/v1/verification/get-sessions?externalId=it%27s' \\\n  -H "Authorization: ApiKey $SELFSAME_API_KEY"`,
    )
    expect(curlOf('https://x', named('reviewSession'), {}, `{"note":"it's"}`)).toContain(
      `-X POST 'https://x/v1/verification/review-session'`,
    )
    expect(curlOf('https://x', named('reviewSession'), {}, `{"note":"it's"}`)).toContain(
      `-d '{"note":"it'\\''s"}'`,
    )
  })
})

test.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['plain', 'plain'],
  ['', ''],
])('%j is read as %j', (text, expected) => {
  expect(readable(text)).toBe(expected)
})

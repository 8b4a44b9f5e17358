import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { requestSchemasOf } from '#server/platform/http/requests/known-names.ts'
import { validate } from '#server/platform/http/requests/validation.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import { resendFailed } from '#shared/contract/account/webhook.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { getAllFaces } from '#shared/contract/recognition/recognition.ts'
import { verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Fault, Problem } from '#shared/problem.ts'
import { endpoints } from '../../../../support/contract/endpoints.ts'

function faultsOf(schema: v.GenericSchema, given: unknown, root: string): readonly Fault[] {
  try {
    validate(schema, given, root)
    return []
  } catch (error) {
    return (error as Problem).errors
  }
}

/** A member in a body or a query, with its path and schema. */
interface Member {
  readonly keys: readonly (string | 0)[]
  readonly schema: v.GenericSchema
}

type Inner = { entries?: Record<string, v.GenericSchema>; wrapped?: v.GenericSchema; item?: v.GenericSchema }

function membersOf(schema: v.GenericSchema, keys: Member['keys'] = [], whole = schema): Member[] {
  const { entries, wrapped, item } = schema as never as Inner
  if (wrapped !== undefined) return membersOf(wrapped, keys, whole)
  const self = keys.length === 0 ? [] : [{ keys, schema: whole }]
  if (item !== undefined) return [...self, ...membersOf(item, [...keys, 0])]
  const inner = Object.entries(entries ?? {}).flatMap(([name, entry]) => membersOf(entry, [...keys, name]))
  return [...self, ...inner]
}

function bodyWith(keys: Member['keys'], value: unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return value
  return key === 0 ? [bodyWith(rest, value)] : { [key]: bodyWith(rest, value) }
}

const long = 'x'.repeat(70_000)
const wrong = [null, true, 'x', '', 1.5, -1, 1e12, [], {}, long, ['x'], [null]]
const wrongInQuery = ['x', '', '1.5', '-1', '1000000000000', long]

const every = [...endpoints, ...Object.entries<Endpoint>(consoleCatalogue)]
const bodies = every.flatMap(([name, endpoint]) => {
  const { body } = requestSchemasOf(endpoint)
  return body === undefined ? [] : [[name, body] as const]
})
const queries = every.flatMap(([name, endpoint]) => {
  const { query } = requestSchemasOf(endpoint)
  return query === undefined ? [] : [[name, query] as const]
})

/** The message for each wrong value that a member can have. */
function told(root: string, whole: v.GenericSchema, { keys }: Member, values: readonly unknown[]) {
  const pointer = [root, ...keys].join('/')
  return values.flatMap((value) => {
    const here = faultsOf(whole, bodyWith(keys, value), root).filter((fault) => fault.pointer === pointer)
    expect(here.length, `${pointer} has one message`).toBeLessThan(2)
    return here.map(({ message }) => message)
  })
}

/** Expects a sentence for people that uses no schema terms and does not repeat the input. */
function expectWords(message: string, pointer: string): void {
  expect(message, pointer).toMatch(/^\S.*\.$/s)
  expect(message, pointer).not.toMatch(
    /[|<>]|\((string|number|\(|")|\b(Object|Array|undefined|Expected|Received)\b|^Invalid/,
  )
  expect(message.length, pointer).toBeLessThan(400)
}

describe('messages for wrong values', () => {
  test.each(bodies)('in the body of %s: names what is allowed, and null only where it is', (_, body) => {
    for (const member of membersOf(body)) {
      const takesNull = v.is(member.schema, null)
      for (const message of told('#', body, member, wrong)) {
        expectWords(message, member.keys.join('/'))
        expect(message).not.toContain('given once')
        if (!takesNull) expect(message, member.keys.join('/')).not.toMatch(/\bnull\b/)
      }
    }
  })

  test.each(queries)('in the query of %s: names what is allowed', (_, query) => {
    for (const member of membersOf(query))
      for (const message of told('#/query', query, member, wrongInQuery))
        expectWords(message, member.keys.join('/'))
  })

  test.each([
    [
      detectFaces,
      { image: {}, maxFaceCount: 1.5 },
      '#/maxFaceCount',
      'Must be a whole number from 1 to 100.',
    ],
    [
      detectFaces,
      { image: {}, maxFaceCount: null },
      '#/maxFaceCount',
      'Must be a whole number from 1 to 100.',
    ],
    [
      detectFaces,
      { image: [], maxFaceCount: 101 },
      '#/maxFaceCount',
      'Must be a whole number from 1 to 100.',
    ],
    [detectFaces, { image: 'x' }, '#/image', 'Must be an object.'],
    [
      updateAccount,
      { attemptLimit: 1.5 },
      '#/attemptLimit',
      'Must be off or a whole number from 1 to 1000, or null.',
    ],
    [
      updateAccount,
      { attemptLimit: 'on' },
      '#/attemptLimit',
      'Must be off or a whole number from 1 to 1000, or null.',
    ],
    [
      updateAccount,
      { theme: { radius: -1 } },
      '#/theme/radius',
      'Must be a whole number from 0 to 32, or null.',
    ],
    [updateAccount, { theme: { mode: 'dim' } }, '#/theme/mode', 'Must be light, dark or auto, or null.'],
    [updateAccount, { accentColour: 7 }, '#/accentColour', 'Must be a colour such as #1a6b54, or null.'],
    [
      updateAccount,
      { displayName: [] },
      '#/displayName',
      'Must be a string of 1 to 200 characters, or null.',
    ],
    [updateAccount, { embedOrigins: 'x' }, '#/embedOrigins', 'Must be an array.'],
    [
      createSession,
      { verifierConfigs: { liveness: { type: 1 } } },
      '#/verifierConfigs/liveness/type',
      'Must be Disabled or Verification.',
    ],
    [createSession, { customInputParameters: { a: 1 } }, '#/customInputParameters/a', 'Must be a string.'],
    [
      createSession,
      { testOutcome: { result: 'passed', age: 151 } },
      '#/testOutcome/age',
      'Must be a number from 0 to 150.',
    ],
    [submitSession, { frames: [{ bytes: '' }] }, '#/frames/0/bytes', 'Must be a string that is not empty.'],
    [submitSession, { frames: [{ time: 0.5 }] }, '#/frames/0/time', 'Must be a whole number of at least 0.'],
    [submitSession, { consent: { given: 'yes' } }, '#/consent/given', 'Must be true or false.'],
    [
      resendFailed,
      { since: 'x' },
      '#/since',
      'Must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z.',
    ],
  ] as const)('%#: the message', (endpoint, given, pointer, message) => {
    const { body } = requestSchemasOf(endpoint as Endpoint)
    expect(faultsOf(body!, given, '#')).toContainEqual({ pointer, message })
  })

  test.each([
    [
      getToken,
      { expirationInSeconds: 'soon' },
      '#/query/expirationInSeconds',
      'Must be a whole number from 60 to 3600.',
    ],
    [
      getToken,
      { expirationInSeconds: '59' },
      '#/query/expirationInSeconds',
      'Must be a whole number from 60 to 3600.',
    ],
    [getToken, { scope: ['analyse', 'analyse'] }, '#/query/scope', 'Must be given once.'],
    [getAllFaces, { limit: '0.5' }, '#/query/limit', 'Must be a whole number from 1 to 100.'],
    [
      verifyDuplicate,
      { includeDemographicalInfo: '1' },
      '#/query/includeDemographicalInfo',
      'Must be true or false.',
    ],
    [verifyDuplicate, {}, '#/query/collectionName', 'Is required.'],
  ] as const)('%#: the message for a query', (endpoint, given, pointer, message) => {
    const { query } = requestSchemasOf(endpoint as Endpoint)
    expect(faultsOf(query!, given, '#/query')).toContainEqual({ pointer, message })
  })

  test.each([
    ['of one character', 'x'.repeat(300_000), `${'x'.repeat(100)}…`],
    ['of halves at the cut', `x${'😀'.repeat(150_000)}`, `x${'😀'.repeat(49)}…`],
  ])('an unknown name is truncated, not echoed completely: %s', (_, name, cut) => {
    const { body } = requestSchemasOf(createSession)
    const [fault] = faultsOf(body!, { [name]: 1 }, '#')
    expect(fault!.pointer).toBe(`#/${cut}`)
    expect(fault!.message.length).toBeLessThan(200)
  })
})

import type { GenericSchema } from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { signedInAs } from '../support/console-visitor.ts'
import { endpoints } from '../support/contract/endpoints.ts'
import { pairDevice, tokenOf } from '../support/kiosk-device.ts'
import { consent, newVerification, openSession } from '../support/visit.ts'
import { type Answer, ask, expectProblem } from './ask.ts'
import { type Setting, startSetting } from './setting.ts'

let setting: Setting
let sessionToken: string
let kioskToken: string
beforeAll(async () => {
  setting = await startSetting()
  const verificationId = await newVerification(setting.host)
  ;({ sessionToken } = await openSession(setting.host, verificationId))
  kioskToken = await tokenOf(setting.host, await pairDevice(setting.host, verificationId))
})
afterAll(() => setting.close())

/** An object in a body: its path as keys, and the names that it declares. */
interface Place {
  readonly keys: readonly (string | 0)[]
  readonly known: readonly string[]
}

/** Objects with names from other sources: a JWK, and the sections of a configuration, which are tested separately. */
const elsewhere = ['publicKey', 'verifierConfigs', 'verificationConfig']

/** Every object that a schema declares, along with its members. */
function placesIn(schema: GenericSchema, keys: Place['keys'] = []): Place[] {
  const { entries, wrapped, item } = schema as never as Record<
    string,
    Record<string, GenericSchema> | undefined
  >
  if (wrapped !== undefined) return placesIn(wrapped as never, keys)
  if (item !== undefined) return placesIn(item as never, [...keys, 0])
  if (entries === undefined) return []
  const inner = Object.entries(entries).filter(([name]) => !elsewhere.includes(name))
  return [
    { keys, known: Object.keys(entries) },
    ...inner.flatMap(([name, entry]) => placesIn(entry, [...keys, name])),
  ]
}

/** A body that has a single value in one place. */
function bodyWith(keys: Place['keys'], value: unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return value
  return key === 0 ? [bodyWith(rest, value)] : { [key]: bodyWith(rest, value) }
}

const pointerOf = (keys: readonly (string | number)[]) => ['#', ...keys].join('/')

function authorizationFor({ auth }: Endpoint): { authorization?: string } {
  if (auth === 'none') return {}
  const own = { session: `Bearer ${sessionToken}`, kiosk: `Bearer ${kioskToken}` }
  return { authorization: auth === 'session' || auth === 'kiosk' ? own[auth] : setting.key }
}

function expectRefused(answer: Answer, pointer: string, known: readonly string[]): void {
  const { code, errors } = expectProblem(answer, 400)
  expect(code).toBe('unknown_name')
  const nearest = known[0] === undefined ? 'no members are accepted here.' : `did you mean ${known[0]}?`
  expect(errors).toContainEqual({ pointer, message: `Is not a known name: ${nearest}` })
}

/** A known name with one additional letter. */
const misspelt = ([first]: readonly string[]) => `${first ?? 'colour'}y`

const knownIn = (schema: GenericSchema | undefined): string[] =>
  Object.keys((schema as { entries?: object } | undefined)?.entries ?? {})

/** The endpoints in the API document. */
const ofInterface =
  `healthz createSignature validateSignature getVerification getAllVerifications createVerification
  createOrUpdateVerification updateVerification deleteVerification getSessionResult getToken getUtcNow getCollection
  getAllCollections createCollection updateCollection deleteCollection searchFace indexFace searchOrIndexFace deleteFace getAge
  getGender detectFaces getFaceEmbeddings compareFaceEmbeddings getVerifyToken verifyDuplicate resetCollection
  detectEmotionAttention detectLiveness`.split(/\s+/)
/** As required by RFC 6749, 3.2. */
const ofOauth = 'tokenKiosk'

test('only endpoints of the interface document and of OAuth ignore unknown names', () => {
  const ignoring = [...endpoints].filter(([, { ignoresUnknownNames }]) => ignoresUnknownNames)
  expect(ignoring.map(([name]) => name).sort()).toEqual([...ofInterface, ofOauth].sort())
  expect(Object.values<Endpoint>(consoleCatalogue).filter((one) => one.ignoresUnknownNames)).toEqual([])
})

const own = [...endpoints].filter(([, { ignoresUnknownNames }]) => !ignoresUnknownNames)
const ownPlaces = own.flatMap(([name, endpoint]) =>
  (endpoint.body === undefined ? [] : placesIn(endpoint.body)).map(
    (place) => [name, pointerOf(place.keys), endpoint, place] as const,
  ),
)

describe('an endpoint of the project', () => {
  test.for(own)('%s refuses a name in its query', async ([name, endpoint], { task }) => {
    task.meta.tried = { endpoint: name, rule: 'unknown name in the query' }
    const known = knownIn(endpoint.query)
    const wrong = misspelt(known)
    const answer = await ask(setting, endpoint, { ...authorizationFor(endpoint), query: { [wrong]: 'x' } })
    expectRefused(answer, `#/query/${wrong}`, known)
  })

  test.for(ownPlaces)('%s refuses a name at %s of its body', async ([name, , endpoint, place], { task }) => {
    task.meta.tried = { endpoint: name, rule: 'unknown name in the body' }
    const wrong = misspelt(place.known)
    const body = bodyWith(place.keys, { [wrong]: 'x' })
    const answer = await ask(setting, endpoint, { ...authorizationFor(endpoint), body })
    expectRefused(answer, pointerOf([...place.keys, wrong]), place.known)
  })

  test('reports each unknown name once, including names from the prototype', async () => {
    const body = '{"verifierConfigs":{},"correlationID":"7","__proto__":{},"toString":1}'
    const answer = await setting.host.fetch(createSession.path, {
      method: 'POST',
      headers: { authorization: setting.key, 'content-type': 'application/json' },
      body,
    })
    const { status, headers } = answer
    const { errors } = expectProblem({ status, headers, text: await answer.text() }, 400)
    expect(errors!.map(({ pointer }) => pointer).sort()).toEqual([
      '#/__proto__',
      '#/correlationID',
      '#/toString',
    ])
  })

  test('checks the caller before it looks at names', async () => {
    const body = { colour: 'blue' }
    expectProblem(await ask(setting, createSession, { body }), 401)
    const authorization = await setting.keyWith('analyse')
    expectProblem(await ask(setting, createSession, { authorization, body }), 403)
  })

  test('accepts any name in free-form objects', async () => {
    const customInputParameters = { colour: 'blue', reference: '7' }
    const body = { verifierConfigs: {}, customInputParameters }
    expect((await ask(setting, createSession, { authorization: setting.key, body })).status).toBe(200)
    const { host } = setting
    const { sessionToken: token } = await openSession(host, await newVerification(host))
    const deviceReport = { colour: 'blue', given: { wrong: [1] } }
    const declined = { frames: [], consent: { ...consent, given: false }, deviceReport }
    const answer = await ask(setting, submitSession, { authorization: `Bearer ${token}`, body: declined })
    expect(answer.status, answer.text).toBe(200)
  })
})

describe('an endpoint with a foreign definition', () => {
  const theirs = [...endpoints].filter(([, { ignoresUnknownNames }]) => ignoresUnknownNames)

  test.for(theirs)('%s ignores names in query and body', async ([name, endpoint], { task }) => {
    task.meta.tried = { endpoint: name, rule: 'unknown names ignored' }
    const { query, body } = (endpoint.example ?? {}) as Record<string, Record<string, string> | undefined>
    const known = await ask(setting, endpoint, {
      ...authorizationFor(endpoint),
      ...(query && { query }),
      body,
    })
    const answer = await ask(setting, endpoint, {
      ...authorizationFor(endpoint),
      query: { ...query, colour: 'blue' },
      body: { ...body, colour: 'blue', 'x-own': 1 },
    })
    // The first call's result may conflict with the second one's.
    const expected = name === 'createVerification' || name === 'createCollection' ? 409 : known.status
    expect(answer.status, answer.text).toBe(expected)
    expect(answer.text).not.toContain('unknown_name')
  })
})

test('every call of the console refuses unknown names in query and body', async () => {
  const visitor = await signedInAs(setting.host, 'owner')
  for (const [name, endpoint] of Object.entries<Endpoint>(consoleCatalogue)) {
    const known = knownIn(endpoint.query ?? endpoint.body)
    const wrong = misspelt(known)
    const asked =
      endpoint.body === undefined && endpoint.query === undefined ? { ...endpoint, query: {} } : endpoint
    const { status, body } = await visitor.ask(asked as Endpoint, { [wrong]: 'x' })
    expect([name, status, body.code]).toEqual([name, 400, 'unknown_name'])
  }
})

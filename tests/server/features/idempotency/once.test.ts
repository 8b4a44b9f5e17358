import type { Context } from 'koa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '#server/features/callers/callers.ts'
import { createOnce } from '#server/features/idempotency/once.ts'
import { createClient } from '#shared/client/client.ts'
import { createKey, getKeys } from '#shared/contract/account/account.ts'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { createVerification, getAllVerifications } from '#shared/contract/configuration/verification.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { scopes } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { endpoints } from '../../../support/contract/endpoints.ts'
import { frameOf } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { problemOf } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const hour = 3600_000
let keys = 0
const newKey = () => `key ${++keys}`

interface Sent {
  key?: string
  authorization?: string
  method?: string
  on?: Host
}

async function send(
  path: string,
  body: unknown,
  { key, authorization, method = 'POST', on = host }: Sent = {},
) {
  const answer = await on.fetch(path, {
    method,
    headers: {
      authorization: authorization ?? `ApiKey ${on.apiKey}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const replayed = answer.headers.get('idempotency-replayed')
  return { status: answer.status, replayed, text, json: JSON.parse(text) }
}

const createPath = '/v1/verification/create'
const create = (name: string, sent: Sent = {}) => send(createPath, { name, verificationConfig: {} }, sent)
const named = async (name: string, on = host) =>
  (await on.call(getAllVerifications, {})).verifications.filter((one) => one.name === name).length

describe('a repeat under an Idempotency-Key', () => {
  test('gets the first answer and changes nothing', async () => {
    const key = newKey()
    const first = await create('once', { key })
    const audited = async () => (await host.call(getAuditLog, { query: { limit: 1 } })).entries[0]!.sequence
    const before = await audited()
    const second = await create('once', { key })
    expect(first).toMatchObject({ status: 200, replayed: null })
    expect(second).toMatchObject({ status: 200, replayed: 'true', text: first.text })
    expect(await named('once')).toBe(1)
    expect(await audited()).toBe(before)
  })

  test('is recognised by its content, not its formatting', async () => {
    const key = newKey()
    const first = await send(createPath, { name: 'order', verificationConfig: {} }, { key })
    const second = await send(createPath, { verificationConfig: {}, name: 'order' }, { key })
    expect(second).toMatchObject({ replayed: 'true', text: first.text })
  })

  test('with another body or another query is a 422', async () => {
    const key = newKey()
    await create('one body', { key })
    expect(await create('another body', { key })).toMatchObject({
      status: 422,
      replayed: null,
      json: { code: 'idempotency_key_reused' },
    })
    const remove = (id: string) =>
      send(`/v1/verification/delete?verificationId=${id}`, undefined, { key, method: 'DELETE' })
    expect((await remove('a')).status).toBe(404)
    expect((await remove('b')).status).toBe(422)
    expect(await remove('a')).toMatchObject({ status: 404, replayed: 'true' })
  })

  test('applies to one method and path, one account and one mode, whichever credential repeats', async () => {
    const key = newKey()
    await create('apart', { key })
    expect((await send('/v1/verification/create-or-update', { name: 'apart' }, { key })).replayed).toBeNull()
    const { apiKey: strange } = await host.services.accounts.create('Another')
    expect((await create('apart', { key, authorization: `ApiKey ${strange}` })).replayed).toBeNull()
    const body = { name: 'CI', scopes: [...scopes], mode: 'test' as const }
    const { apiKey: trial } = await host.call(createKey, { body })
    expect((await create('apart', { key, authorization: `ApiKey ${trial}` })).replayed).toBeNull()
    const { token } = await host.call(getToken, { query: { scope: 'configure' } })
    expect((await create('apart', { key, authorization: `Bearer ${token}` })).replayed).toBe('true')
    const { apiKey: other } = await host.call(createKey, { body: { name: 'Other', scopes: [...scopes] } })
    expect((await create('apart', { key, authorization: `ApiKey ${other}` })).replayed).toBe('true')
  })

  test('is valid for 24 hours', async () => {
    const own = await startHost()
    const key = newKey()
    await create('a day', { key, on: own })
    own.pass(24 * hour - 60_000)
    expect((await create('a day', { key, on: own })).replayed).toBe('true')
    own.pass(60_000)
    expect((await create('a day', { key, on: own })).replayed).toBeNull()
    await own.close()
  })

  test.each([
    ['a', true],
    ['~ !', true],
    ['a'.repeat(255), true],
    ['', false],
    ['a'.repeat(256), false],
    ['a\tb', false],
    ['ä', false],
  ])('has a key of 1 to 255 printable characters: %s', async (key, isTaken) => {
    const answer = await create(`key of ${key.length} ${++keys}`, { key })
    expect(answer.status).toBe(isTaken ? 200 : 400)
    if (!isTaken) expect(answer.json.errors[0].pointer).toBe('#/header/Idempotency-Key')
  })

  test('stores a permanent refusal', async () => {
    const key = newKey()
    const wrong = () => send(createPath, { name: '' }, { key })
    expect(await wrong()).toMatchObject({ status: 400, replayed: null })
    const again = await wrong()
    expect(again).toMatchObject({ status: 400, replayed: 'true', json: { code: 'invalid_request' } })
    expect(again.json.errors.length).toBeGreaterThan(0)
    await create('taken')
    const taken = newKey()
    const conflict = await create('taken', { key: taken })
    expect(conflict.status).toBeGreaterThanOrEqual(200)
    expect(await create('taken', { key: taken })).toMatchObject({ status: conflict.status, replayed: 'true' })
  })

  test.each([
    ['invalid_request', true],
    ['forbidden', true],
    ['not_found', true],
    ['conflict', true],
    ['unauthenticated', false],
    ['body_too_large', false],
    ['idempotency_key_reused', false],
    ['too_many_requests', false],
    ['internal_error', false],
    ['overloaded', false],
  ] as const)('that ended with %s is stored: %s', async (code, isKept) => {
    const once = createOnce(createVerification, host.services.keptAnswers, (error) =>
      host.errors.push(error),
    )!
    const headers: [string, string][] = []
    const ctx = {
      req: { headers: { 'idempotency-key': newKey() } },
      res: { setHeader: (name: string, value: string) => headers.push([name, value]) },
    } as unknown as Context
    const caller = { kind: 'account', accountId: host.accountId } as Caller
    let runs = 0
    const run = async () => {
      runs++
      throw new Problem(code, 'As asked')
    }
    const ask = () => once(ctx, caller, { query: '', body: {} }, { run, mayRepeat: async () => undefined })
    expect([await problemOf(ask()), await problemOf(ask())]).toEqual([code, code])
    expect([runs, headers.length]).toEqual(isKept ? [1, 1] : [2, 0])
  })

  test('is executed again if the server failed unexpectedly', async () => {
    const { commit } = host.store
    let fails = 1
    const broken: typeof commit = async (writes, guards) => {
      if (writes.some(({ key: at }) => at.startsWith('verification/')) && fails-- > 0)
        throw new Error('The store is away')
      return commit(writes, guards)
    }
    const on = await startHost({ store: { ...host.store, commit: broken } })
    const key = newKey()
    expect((await create('away', { key, on })).status).toBe(500)
    expect(await create('away', { key, on })).toMatchObject({ status: 200, replayed: null })
    expect(await create('away', { key, on })).toMatchObject({ replayed: 'true' })
    await on.close()
  })

  test('is a 409 while the first is in progress, and another one once that must have died: it may have taken effect', async () => {
    const on = await startHost()
    const key = newKey()
    const { keptAnswers } = on.services
    const place = await keptAnswers.placeOf(on.accountId, 'key', { method: 'POST', path: createPath }, key)
    const request = JSON.stringify(['', { name: 'slow', verificationConfig: {} }])
    expect(await keptAnswers.claim(place, await keptAnswers.digestOf([request]), false)).toMatchObject({
      is: 'mine',
    })
    const code = async () => (await create('slow', { key, on })).json.code
    expect(await code()).toBe('idempotency_in_progress')
    on.pass(119_000)
    expect(await code()).toBe('idempotency_in_progress')
    on.pass(1_000)
    expect(await code()).toBe('idempotency_interrupted')
    on.pass(22 * hour)
    expect(await code()).toBe('idempotency_interrupted')
    on.pass(2 * hour)
    expect(await create('slow', { key, on })).toMatchObject({ status: 200, replayed: null })
    await on.close()
  })

  test.each(['PUT', 'DELETE'] as const)(
    'of a %s whose first was interrupted is executed, because twice equals once',
    async (method) => {
      const on = await startHost()
      const key = newKey()
      const { keptAnswers } = on.services
      const { verificationId } = (await create('changed', { on })).json
      const [path, query, body] =
        method === 'PUT'
          ? ['/v1/verification/update', '', { verificationId, name: 'later', verificationConfig: {} }]
          : ['/v1/verification/delete', `verificationId=${verificationId}`, undefined]
      const place = await keptAnswers.placeOf(on.accountId, 'key', { method, path }, key)
      const names = body && Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)))
      const request = JSON.stringify([query, names ?? null])
      expect(await keptAnswers.claim(place, await keptAnswers.digestOf([request]), true)).toMatchObject({
        is: 'mine',
      })
      const again = () => send(query === '' ? path : `${path}?${query}`, body, { key, on, method })
      expect((await again()).json.code).toBe('idempotency_in_progress')
      on.pass(120_000)
      expect(await again()).toMatchObject({ status: 200, replayed: null })
      expect(await again()).toMatchObject({ status: 200, replayed: 'true' })
      await on.close()
    },
  )

  test('of many at once lets one through', async () => {
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 30 }, () => create('raced', { key })))
    expect(await named('raced')).toBe(1)
    expect(answers.filter(({ status, replayed }) => status === 200 && replayed === null)).toHaveLength(1)
    for (const { status, json } of answers)
      if (status !== 200) expect([status, json.code]).toEqual([409, 'idempotency_in_progress'])
  })

  test('creates a secret once, and returns it once', async () => {
    const asked = [
      ['/v1/account/create-key', { name: 'once', scopes: [] }, 'apiKey'],
      ['/v1/account/rotate-webhook-secret', {}, 'webhookSecret'],
      ['/v1/account/rotate-signing-key', {}, undefined],
      ['/v1/webhook/create-endpoint', { url: 'https://shop.example/', events: ['KioskRevoked'] }, 'secret'],
    ] as const
    for (const [path, body, secret] of asked) {
      const key = newKey()
      const first = await send(path, body, { key })
      expect(first.json).not.toHaveProperty('secretShownOnce')
      const { [secret ?? '']: told, ...rest } = first.json
      if (secret !== undefined) expect(told).toMatch(/./)
      const again = await send(path, body, { key })
      expect(again.json).toEqual({ ...rest, secretShownOnce: true })
    }
    expect((await host.call(getKeys, {})).keys.filter(({ name }) => name === 'once')).toHaveLength(1)
  })

  test('is stored without key, body or answer, and deleted with the person', async () => {
    const own = await startHost()
    const key = 'a key that says much'
    const externalId = 'person-4711'
    const body = { verifierConfigs: {}, externalId, correlationId: 'case-0815' }
    const open = () => send('/v1/verification/create-session', body, { key, on: own })
    const first = await open()
    expect((await open()).text).toBe(first.text)
    const { bytes } = frameOf({ person: 'anna' })
    const path = `/api/v1/verify/verify-duplicate?collectionName=c&externalIdentifier=${externalId}&includeDemographicalInfo=false`
    const duplicate = () => send(path, { imageData: bytes }, { key, on: own })
    const found = await duplicate()
    expect(found.status, found.text).toBe(200)
    expect((await duplicate()).replayed).toBe('true')
    const kept = async () => {
      let all = ''
      for await (const entry of own.store.list('kept-answer')) all += Buffer.from(entry.value).toString()
      return all
    }
    expect(await kept()).not.toBe('')
    for (const secret of [key, externalId, 'case-0815', first.json.sessionToken])
      expect(await kept()).not.toContain(secret)
    await own.call(deletePerson, { query: { externalId } })
    expect(await kept()).toBe('')
    expect((await open()).replayed).toBeNull()
    await own.close()
  })

  test('is sent by the client', async () => {
    const { configuration } = createClient({ origin: host.origin, apiKey: host.apiKey })
    const idempotencyKey = newKey()
    const make = () => configuration.createVerification({ name: 'by the client' }, { idempotencyKey })
    expect(await make()).toEqual(await make())
    expect(await named('by the client')).toBe(1)
  })
})

test('applies to calls that change something with a key or a bearer, and to nothing else', async () => {
  const taking = [...endpoints]
    .filter(([, endpoint]) => endpoint.idempotency !== 'none')
    .map(([name]) => name)
  expect(taking).toEqual(
    expect.arrayContaining(['createSession', 'indexFace', 'verifyDuplicate', 'deletePerson']),
  )
  const without = [
    'searchFace',
    'createSignature',
    'getAge',
    'detectLiveness',
    'initRedirectSession',
    'submitStep',
    'submitSession',
    'submitKiosk',
    'getKeys',
  ]
  expect(taking.filter((name) => without.includes(name))).toEqual([])
  const key = newKey()
  const sign = () => send('/v1/signature/create', { queryString: 'a=1' }, { key })
  expect([(await sign()).replayed, (await sign()).replayed]).toEqual([null, null])
})

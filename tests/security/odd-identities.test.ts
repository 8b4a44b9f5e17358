import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createKey, getKeys, updateAccount } from '#shared/contract/account/account.ts'
import { deletePerson, exportPerson } from '#shared/contract/account/person.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import {
  createOrUpdateVerification,
  createVerification,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import { createKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { createCollection, getAllFaces } from '#shared/contract/recognition/recognition.ts'
import { verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { imageOf } from '../support/drawn/gallery.ts'
import { type Host, startHost } from '../support/host.ts'
import { newVerification, visit } from '../support/visit.ts'

let host: Host
let verificationId: string
let plainId: string
let names = 0
beforeAll(async () => {
  host = await startHost()
  verificationId = await newVerification(host, {
    verifierConfigs: { faceRecognition: { type: 'MatchVerification' } },
  })
  plainId = await newVerification(host, {})
})
afterAll(() => host.close())

/** Sends raw JSON, even with a lone surrogate. */
async function send({ method, path, query }: Endpoint, given: Record<string, unknown>, inQuery: object = {}) {
  const search = query === undefined ? '' : `?${new URLSearchParams(inQuery as Record<string, string>)}`
  const answer = await host.fetch(path + search, {
    method,
    headers: { authorization: `ApiKey ${host.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(given),
  })
  return {
    status: answer.status,
    body: JSON.parse(await answer.text()) as {
      code?: string
      errors?: readonly { pointer: string }[]
      [name: string]: unknown
    },
  }
}

const unfit = ['a\u0000', '\u0000', 'a\nb', 'a\u001b[31m', 'a\u007f', 'a\u0085', 'a\ud800', '\udc00a']

/** Every body member that names something: the call, its other members, and the position of the fault. */
const named: readonly (readonly [string, Endpoint, string, (text: string) => Record<string, unknown>])[] = [
  ['a session’s externalId', createSession, '#/externalId', (externalId) => ({ verificationId, externalId })],
  [
    'its correlationId',
    createSession,
    '#/correlationId',
    (correlationId) => ({ verificationId, correlationId }),
  ],
  ['a key', createKey, '#/name', (name) => ({ name, scopes: [] })],
  ['a kiosk', createKiosk, '#/name', (name) => ({ name, verificationId: plainId })],
  ['a verification', createVerification, '#/name', (name) => ({ name })],
  ['one that is replaced', createOrUpdateVerification, '#/name', (name) => ({ name })],
  ['one that is renamed', updateVerification, '#/name', (name) => ({ verificationId, name })],
  ['a collection', createCollection, '#/collectionId', (collectionId) => ({ collectionId })],
  ['an account', updateAccount, '#/name', (name) => ({ name })],
  ['what visitors are told', updateAccount, '#/displayName', (displayName) => ({ displayName })],
]

describe.each(named)('the name of %s', (_what, endpoint, pointer, bodyOf) => {
  test.each(unfit)('is not %j', async (text) => {
    const { status, body } = await send(endpoint, bodyOf(text))
    expect([status, body.errors?.map((fault) => fault.pointer)]).toEqual([400, [pointer]])
  })

  it('may be anything visible', async () => {
    expect((await send(endpoint, bodyOf(`Ñandú 田中 👩‍🚀 | : / ${++names}`))).status).toBeLessThan(300)
  })
})

describe('an external id', () => {
  test.each([
    ['one character', 'x', 200],
    ['512 characters', 'x'.repeat(512), 200],
    ['512 characters of two units', '😀'.repeat(512), 200],
    ['512 once it is composed', 'e\u0301'.repeat(512), 200],
    ['513 characters', 'x'.repeat(513), 400],
    ['513 characters of two units', '😀'.repeat(513), 400],
    ['none', '', 400],
  ])('has 1 to 512 characters: %s', async (_what, externalId, status) => {
    expect((await send(createSession, { verificationId, externalId })).status).toBe(status)
  })

  test.each([
    ['512 characters of two units', '😀'.repeat(512), 'no problem'],
    ['513 characters', 'x'.repeat(513), 'invalid_request'],
  ])('has the same limit in a link: %s', async (_what, externalId, expected) => {
    const queryString = new URLSearchParams({ reExternalId: externalId }).toString()
    const { signedQueryString } = await host.call(createSignature, { body: { queryString } })
    const opened = await send(initRedirectSession, { verificationId, queryString: signedQueryString })
    expect(opened.body.code ?? 'no problem').toBe(expected)
  })

  it('is stored, found and shown in its composed form, in whatever form it is sent', async () => {
    const [sent, canonical] = ['Zoe\u0308', 'Zo\u00eb']
    const { verificationSessionId } = await host.call(createSession, {
      body: { verificationId, externalId: sent },
    })
    const opened = await visit(
      host,
      verificationId,
      { person: 'zoe' },
      `reExternalId=${encodeURIComponent(sent)}`,
    )
    expect(opened.result.verificationResult).toBe('Pass')
    for (const externalId of [sent, canonical]) {
      const { sessions } = await host.call(getSessions, { query: { externalId } })
      expect(sessions.map((one) => one.verificationSessionId)).toContain(verificationSessionId)
      expect(new Set(sessions.map((one) => one.externalId))).toEqual(new Set([canonical]))
      const { faces } = await host.call(getAllFaces, { query: { collectionId: verificationId, externalId } })
      expect(faces).toHaveLength(1)
    }
    const again = await visit(
      host,
      verificationId,
      { person: 'zoe' },
      `reExternalId=${encodeURIComponent(canonical)}&reEnroll=false`,
    )
    expect(again.result.verificationResult).toBe('Pass')
    const exported = await host.call(exportPerson, { query: { externalId: sent } })
    expect([exported.sessions.length, exported.faces.length]).toEqual([3, 1])
    expect(await host.call(deletePerson, { query: { externalId: sent } })).toMatchObject({
      sessionsDeleted: 3,
      facesDeleted: 1,
    })
  })

  it('of verify-duplicate is composed too, and refused if it has invisible characters', async () => {
    const query = { collectionName: 'members', includeDemographicalInfo: 'false' }
    const body = { imageData: imageOf({ person: 'anna' }).bytes }
    const as = (externalIdentifier: string) => send(verifyDuplicate, body, { ...query, externalIdentifier })
    expect((await as('a\u0000b')).status).toBe(400)
    expect((await as('😀'.repeat(513))).status).toBe(400)
    expect((await as('Rene\u0301')).body).toMatchObject({ isDuplicate: false })
    expect((await as('other')).body).toMatchObject({ externalIdentifierOfDuplicate: 'Ren\u00e9' })
  })

  it('that was stored uncomposed is erased and reported by the same form', async () => {
    const sent = 'Andre\u0301'
    const { access } = host.services.recognition
    await access.change(host.accountId, 'old', async (_, writer) => ({
      answer: undefined,
      change: writer.make(),
    }))
    await access.change(host.accountId, 'old', async (collection, writer) => ({
      answer: undefined,
      change: writer.add({
        externalId: sent,
        embeddingModel: collection.models.embeddingModel,
        embedding: new Float32Array(512).fill(0.1),
      } as never),
    }))
    const { faces } = await host.call(getAllFaces, { query: { collectionId: 'old', externalId: sent } })
    expect(faces).toHaveLength(1)
    expect((await host.call(exportPerson, { query: { externalId: sent } })).faces).toHaveLength(1)
    expect(await host.call(deletePerson, { query: { externalId: sent } })).toMatchObject({ facesDeleted: 1 })
  })
})

describe('a link', () => {
  test.each(['%00', 'a%0Ab', 'a%7F', '%C2%85'])(
    'is not signed for a person or a case called %s',
    async (text) => {
      for (const name of ['reExternalId', 'reCorrelationId', 're%45xternalId'])
        expect(await send(createSignature, { queryString: `${name}=${text}` })).toMatchObject({
          status: 400,
          body: { errors: [{ pointer: '#/queryString' }] },
        })
    },
  )

  test.each(['reExternalId', 'reCorrelationId'])(
    'is not signed for a person or a case with half of a character: %s',
    async (name) => {
      expect(await send(createSignature, { queryString: `${name}=a\ud800` })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '#/queryString' }] },
      })
    },
  )

  it('that was signed elsewhere does not open for such a name', async () => {
    const account = (await host.services.accounts.find(host.accountId))!
    const { sign } = await import('#server/features/links/query-signature.ts')
    const [key] = host.services.accounts.signingKeys(account, 'query-signature|link')
    const { signedQuery } = sign('reExternalId=a%00b', key!)
    expect(await send(initRedirectSession, { verificationId, queryString: signedQuery })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/queryString' }] },
    })
  })
})

test('refused names are not stored', async () => {
  const { keys } = await host.call(getKeys, {})
  expect(keys.filter(({ name }) => /\p{Cc}|\p{Cs}/u.test(name))).toEqual([])
})

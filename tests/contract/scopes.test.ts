import { decodeJwt } from 'jose'
import type { GenericSchema } from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deletePerson } from '#shared/contract/account/person.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { getAllVerifications } from '#shared/contract/configuration/verification.ts'
import { searchCandidates } from '#shared/contract/recognition/named-faces.ts'
import { createCollection, getAllCollections } from '#shared/contract/recognition/recognition.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { scopesFor } from '#shared/endpoint.ts'
import { endpoints } from '../support/contract/endpoints.ts'
import { ask, expectProblem, expectResult } from './ask.ts'
import { type Setting, startSetting } from './setting.ts'

let setting: Setting
beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => setting.close())

type Parts = Readonly<{
  pipe?: readonly GenericSchema[]
  wrapped?: GenericSchema
  item?: GenericSchema
  value?: GenericSchema
  options?: readonly GenericSchema[]
  entries?: Readonly<Record<string, GenericSchema>>
}>

/** The names of all members that an answer can contain, at any depth. */
function memberNames(schema: GenericSchema): string[] {
  const { pipe, wrapped, item, value, options, entries } = schema as Parts
  const inner = [pipe?.[0], wrapped, item, value, ...(Array.isArray(options) ? options : [])]
  return [
    ...Object.entries(entries ?? {}).flatMap(([name, entry]) => [name, ...memberNames(entry)]),
    ...inner.flatMap((one) => (typeof one === 'object' && one !== schema ? memberNames(one) : [])),
  ]
}

test('every operation whose answer names people needs people, configure, review or admin', () => {
  const naming = [...endpoints].filter(([, { auth, result }]) => {
    const isOwn = auth === 'session' || auth === 'kiosk'
    return !isOwn && memberNames(result).some((name) => /^external(Id|Identifier)/.test(name))
  })
  expect(naming.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'searchCandidates',
      'verifyDuplicate',
      'getAllFaces',
      'getSessions',
      'exportPerson',
    ]),
  )
  const permitted = ['people', 'configure', 'review', 'admin']
  for (const [name, endpoint] of naming) {
    const needed = scopesFor(endpoint)
    expect([name, needed.length > 0 && needed.every((scope) => permitted.includes(scope))]).toEqual([
      name,
      true,
    ])
  }
})

describe('the scope people', () => {
  test('allows collections, faces and persons, and nothing else', () => {
    const allowed = [...endpoints].filter(([, endpoint]) => scopesFor(endpoint).includes('people'))
    const paths = allowed.map(([, { path }]) => path)
    expect(
      paths.filter((path) => !/^\/v1\/(collection|face|person)\/|^\/api\/v1\/verify\//.test(path)),
    ).toEqual([])
    const rest = [...endpoints].filter(([, { path }]) => /^\/v1\/(collection|face)\//.test(path))
    expect(rest.map(([name, endpoint]) => [name, scopesFor(endpoint)])).toEqual(
      rest.map(([name]) => [name, ['people', 'configure']]),
    )
  })

  test('is required to learn the identity of a person; analyse is not enough', async () => {
    const body = { image: { bytes: 'x' }, collectionIds: ['members'] }
    const analyse = await setting.keyWith('analyse')
    expectProblem(await ask(setting, searchCandidates, { authorization: analyse, body }), 403)
    for (const scope of ['people', 'configure'] as const) {
      const authorization = await setting.keyWith(scope)
      expectProblem(await ask(setting, searchCandidates, { authorization, body }), 404)
    }
  })

  test('of a key allows neither pictures nor configurations', async () => {
    const authorization = await setting.keyWith('people')
    await ask(setting, createCollection, { authorization, body: { collectionId: 'of people' } })
    expectResult(getAllCollections, await ask(setting, getAllCollections, { authorization }))
    expectResult(
      deletePerson,
      await ask(setting, deletePerson, { authorization, query: { externalId: 'ada' } }),
    )
    expectProblem(await ask(setting, detectFaces, { authorization, body: {} }), 403)
    expectProblem(await ask(setting, getAllVerifications, { authorization }), 403)
  })

  test('is included in a bearer only if it is requested, or through configure', async () => {
    const scopeOf = async (authorization: string, query: Record<string, string>) => {
      const answer = await ask(setting, getToken, { authorization, query })
      return answer.status === 200 ? decodeJwt(JSON.parse(answer.text).token).scope : answer.status
    }
    const every = await setting.keyWith('tokens', 'people', 'configure', 'analyse')
    expect(await scopeOf(every, {})).toBe('analyse configure')
    expect(await scopeOf(every, { scope: 'people' })).toBe('people')
    expect(await scopeOf(await setting.keyWith('tokens', 'people'), {})).toBe(403)
    expect(await scopeOf(await setting.keyWith('tokens', 'analyse'), { scope: 'people' })).toBe(403)
    const builder = await setting.keyWith('tokens', 'configure')
    expect(await scopeOf(builder, { scope: 'people' })).toBe('people')
    const { text } = await ask(setting, getToken, { authorization: builder, query: { scope: 'people' } })
    const authorization = `Bearer ${JSON.parse(text).token}`
    expectResult(getAllCollections, await ask(setting, getAllCollections, { authorization }))
    expectProblem(await ask(setting, getAllVerifications, { authorization }), 403)
  })
})

import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { call, type Fetch } from '#shared/call.ts'
import { endpoint } from '#shared/endpoint.ts'
import { builders, everybody } from '#shared/operator-roles.ts'
import { Problem } from '#shared/problem.ts'
import { problemStatus } from '#shared/problem-codes.ts'

const read = endpoint({
  method: 'GET',
  path: '/v1/thing/get',
  auth: 'key-or-bearer',
  scope: undefined,
  console: everybody,
  query: v.object({ id: v.string(), limit: v.optional(v.number()) }),
  result: v.object({ name: v.string() }),
  errors: [404],
  summary: 'Reads a thing.',
})
const write = endpoint({
  method: 'POST',
  path: '/v1/thing/create',
  auth: 'key',
  scope: 'admin',
  console: builders,
  rate: 'requests',
  audit: 'recorded',
  idempotency: 'replayed',
  leadsTo: 'nothing',
  permittedBy: 'role',
  body: v.object({ name: v.string() }),
  result: v.object({}),
  errors: [409],
  summary: 'Writes a thing.',
})

/** A fetch that records its request and gives the specified answer. */
function fakeFetch(status: number, text: string, headers: Record<string, string> = {}) {
  const asked: { address: string; init: Parameters<Fetch>[1] }[] = []
  const fetch: Fetch = async (address, init) => {
    asked.push({ address, init })
    return {
      ok: status < 300,
      status,
      headers: { get: (name) => headers[name] ?? null },
      text: async () => text,
    }
  }
  return { fetch, asked }
}

describe('call', () => {
  test('sends the query and the credential, and returns the result', async () => {
    const { fetch, asked } = fakeFetch(200, '{"name":"a"}')
    const query = { id: 'a b&c', limit: undefined as never }
    expect(await call(fetch, 'https://h', read, { query, credential: { bearer: 't' } })).toEqual({
      name: 'a',
    })
    expect(asked[0]!.address).toBe('https://h/v1/thing/get?id=a%20b%26c')
    expect(asked[0]!.init).toEqual({
      method: 'GET',
      headers: { accept: 'application/json', authorization: 'Bearer t' },
    })
  })

  test('sends a body as JSON', async () => {
    const { fetch, asked } = fakeFetch(200, '{}')
    await call(fetch, 'https://h', write, { body: { name: 'ü' }, credential: { apiKey: 'k' } })
    expect(asked[0]!.init.body).toBe('{"name":"ü"}')
    expect(asked[0]!.init.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'ApiKey k',
    })
  })

  test("throws the server's problem with its code, errors and time to wait", async () => {
    const errors = [{ pointer: '#/name', message: 'Is required.' }]
    const { fetch } = fakeFetch(400, JSON.stringify({ code: 'invalid_request', detail: 'No.', errors }), {
      'retry-after': '7',
    })
    const problem = await call(fetch, '', write, { body: { name: '' } }).catch((error) => error)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({
      code: 'invalid_request',
      message: 'No.',
      errors,
      retryAfterInSeconds: 7,
      status: 400,
    })
  })

  test.each([
    [404, '<html>', 'not_found'],
    [503, '', 'overloaded'],
    [418, '', 'internal_error'],
    [409, '{"code":"of_the_future"}', 'conflict'],
  ])('turns a foreign %i into a problem', async (status, text, code) => {
    const { fetch } = fakeFetch(status, text)
    await expect(call(fetch, '', write, { body: { name: '' } })).rejects.toMatchObject({ code })
  })
})

test('every code is accepted with a failure status', () => {
  for (const status of Object.values(problemStatus)) expect(status).toBeGreaterThanOrEqual(400)
})

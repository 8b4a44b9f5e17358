import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { endpoint, smallBodyInBytes } from '#shared/endpoint.ts'
import { builders } from '#shared/operator-roles.ts'

const read = {
  method: 'GET',
  path: '/v1/thing/get',
  result: v.object({}),
  errors: [],
  summary: 'Reads.',
} as const
const write = { ...read, method: 'POST', path: '/v1/thing/make', summary: 'Makes.' } as const
const byKey = { auth: 'key', scope: 'admin', console: builders } as const
const policy = {
  rate: 'requests',
  audit: 'recorded',
  idempotency: 'replayed',
  leadsTo: 'nothing',
  permittedBy: 'role',
} as const

/** None of these compile: TypeScript reports an error on each line that expects one, and nowhere else. */
function undecided() {
  const { scope: _scope, ...anyScope } = byKey
  const { console: _console, ...noRole } = byKey
  const { rate: _rate, ...uncounted } = policy
  const { audit: _audit, ...unaudited } = policy
  const { idempotency: _idempotency, ...unrepeated } = policy
  const { leadsTo: _leadsTo, ...unweighed } = policy
  const { permittedBy: _permittedBy, ...unpermitted } = policy
  return [
    // @ts-expect-error: scope missing
    endpoint({ ...read, ...anyScope }),
    // @ts-expect-error: roles of the console missing
    endpoint({ ...read, ...noRole }),
    // @ts-expect-error: rate limit missing
    endpoint({ ...write, ...byKey, ...uncounted }),
    // @ts-expect-error: audit missing
    endpoint({ ...write, ...byKey, ...unaudited }),
    // @ts-expect-error: idempotency missing
    endpoint({ ...write, ...byKey, ...unrepeated }),
    // @ts-expect-error: consequences missing
    endpoint({ ...write, ...byKey, ...unweighed }),
    // @ts-expect-error: permission missing
    endpoint({ ...write, ...byKey, ...unpermitted }),
    // @ts-expect-error: inClient missing
    endpoint({ ...read, auth: 'none', rate: 'uncounted' }),
    // @ts-expect-error: rate limit for strangers missing
    endpoint({ ...read, auth: 'none', inClient: true }),
    // @ts-expect-error: audit missing for a session
    endpoint({ ...write, auth: 'session' }),
    // @ts-expect-error: audit missing for a kiosk
    endpoint({ ...write, auth: 'kiosk' }),
    // @ts-expect-error: roles missing for a call of the console
    endpoint({ ...read, auth: 'console' }),
    // @ts-expect-error: only callers with a key repeat calls
    endpoint({ ...write, auth: 'session', audit: 'recorded', idempotency: 'replayed' }),
  ]
}

describe('an endpoint', () => {
  test('that reads has sound defaults', () => {
    expect(endpoint({ ...read, ...byKey })).toMatchObject({
      rate: 'requests',
      audit: 'unrecorded',
      idempotency: 'none',
      leadsTo: 'nothing',
      permittedBy: 'role',
      inClient: true,
    })
  })

  test('is in the published client depending on its callers', () => {
    expect(endpoint({ ...read, auth: 'session' })).toMatchObject({ inClient: true, rate: 'uncounted' })
    expect(endpoint({ ...read, auth: 'kiosk' })).toMatchObject({ inClient: false, rate: 'uncounted' })
    expect(endpoint({ ...read, auth: 'console', console: builders }).inClient).toBe(false)
    expect(endpoint({ ...read, auth: 'none', rate: 'inits', inClient: false }).inClient).toBe(false)
  })

  test('accepts a small body from strangers and from the holders of a link', () => {
    expect(endpoint({ ...write, auth: 'session', audit: 'recorded' }).bodyLimitInBytes).toBe(smallBodyInBytes)
    expect(endpoint({ ...write, ...byKey, ...policy }).bodyLimitInBytes).toBe(16 * 1024 * 1024)
  })

  test('with an undecided property does not compile', () => {
    expect(undecided).toBeTypeOf('function')
  })
})

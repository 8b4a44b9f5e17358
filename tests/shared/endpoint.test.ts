import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { builders } from '#shared/contract/console/operator-roles.ts'
import { endpoint, smallBodyInBytes } from '#shared/endpoint.ts'

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

/** None of these compiles: TypeScript says so at each line that expects an error, and objects where there is none. */
function undecided() {
  const { scope: _scope, ...anyScope } = byKey
  const { console: _console, ...noRole } = byKey
  const { rate: _rate, ...uncounted } = policy
  const { audit: _audit, ...unaudited } = policy
  const { idempotency: _idempotency, ...unrepeated } = policy
  const { leadsTo: _leadsTo, ...unweighed } = policy
  const { permittedBy: _permittedBy, ...unpermitted } = policy
  return [
    // @ts-expect-error: which scope
    endpoint({ ...read, ...anyScope }),
    // @ts-expect-error: which roles of the console
    endpoint({ ...read, ...noRole }),
    // @ts-expect-error: which limit it counts against
    endpoint({ ...write, ...byKey, ...uncounted }),
    // @ts-expect-error: whether it is recorded
    endpoint({ ...write, ...byKey, ...unaudited }),
    // @ts-expect-error: whether it is repeated under a key
    endpoint({ ...write, ...byKey, ...unrepeated }),
    // @ts-expect-error: what it leads to
    endpoint({ ...write, ...byKey, ...unweighed }),
    // @ts-expect-error: who may call it
    endpoint({ ...write, ...byKey, ...unpermitted }),
    // @ts-expect-error: whether the published client has it
    endpoint({ ...read, auth: 'none', rate: 'uncounted' }),
    // @ts-expect-error: which limit strangers count against
    endpoint({ ...read, auth: 'none', inClient: true }),
    // @ts-expect-error: whether it is recorded, also of a session
    endpoint({ ...write, auth: 'session' }),
    // @ts-expect-error: or of a kiosk
    endpoint({ ...write, auth: 'kiosk' }),
    // @ts-expect-error: which roles, of a call of the console's own
    endpoint({ ...read, auth: 'console' }),
    // @ts-expect-error: nobody repeats under a key without one
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

  test('is in the published client by who calls it', () => {
    expect(endpoint({ ...read, auth: 'session' })).toMatchObject({ inClient: true, rate: 'uncounted' })
    expect(endpoint({ ...read, auth: 'kiosk' })).toMatchObject({ inClient: false, rate: 'uncounted' })
    expect(endpoint({ ...read, auth: 'console', console: builders }).inClient).toBe(false)
    expect(endpoint({ ...read, auth: 'none', rate: 'inits', inClient: false }).inClient).toBe(false)
  })

  test('takes a small body of strangers and of the holders of a link', () => {
    expect(endpoint({ ...write, auth: 'session', audit: 'recorded' }).bodyLimitInBytes).toBe(smallBodyInBytes)
    expect(endpoint({ ...write, ...byKey, ...policy }).bodyLimitInBytes).toBe(16 * 1024 * 1024)
  })

  test('that leaves a decision open does not compile', () => {
    expect(undecided).toBeTypeOf('function')
  })
})

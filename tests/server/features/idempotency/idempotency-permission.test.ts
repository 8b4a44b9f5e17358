import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createKey, getKeys, revokeKey, setPrimaryKey } from '#shared/contract/account/account.ts'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { createVerification, updateVerification } from '#shared/contract/configuration/verification.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { signedInLimits } from '#shared/contract/console/console-paths.ts'
import { type Endpoint, scopes, scopesFor } from '#shared/endpoint.ts'
import { operatorRoles } from '#shared/operator-roles.ts'
import { type ConsoleVisitor, signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'

let host: Host
const visitors = new Map<string, ConsoleVisitor>()
beforeAll(async () => {
  host = await startHost()
  for (const role of operatorRoles) visitors.set(role, await signedInAs(host, role))
})
afterAll(() => host.close())

const named: Record<string, Endpoint> = Object.assign({}, ...Object.values(catalogue))
const repeatable = Object.entries(named).filter(([, endpoint]) => endpoint.idempotency !== 'none')
let keys = 0
const newKey = () => `permission ${++keys}`

async function outcome(who: ConsoleVisitor, endpoint: Endpoint, given: unknown, idempotencyKey?: string) {
  const answer = await who.ask(endpoint, given, idempotencyKey === undefined ? {} : { idempotencyKey })
  const { status, headers, body } = answer
  return { status, code: body.code, replayed: headers.get('idempotency-replayed'), body }
}

/** The example request in the API document. */
function exampleOf({ example, query, body }: Endpoint): unknown {
  return { ...(query && Object(example?.query)), ...(body && Object(example?.body)) }
}

describe("a repeat in the console of an owner's call", () => {
  test('is tried for every endpoint that takes a key', () => {
    expect(repeatable.length).toBeGreaterThan(20)
  })

  test.each(repeatable)('%s is refused to everyone who may not make the call', async (_name, endpoint) => {
    const owner = visitors.get('owner')!
    await owner.again()
    const key = newKey()
    const given = exampleOf(endpoint)
    const first = await outcome(owner, endpoint, given, key)
    expect(first.status).not.toBe(401)
    for (const role of ['developer', 'reviewer', 'viewer']) {
      const who = visitors.get(role)!
      await who.again()
      const plain = await outcome(who, endpoint, given)
      if (plain.status !== 403) continue
      const repeat = await outcome(who, endpoint, given, key)
      expect([role, repeat.status, repeat.code, repeat.replayed]).toEqual([role, 403, plain.code, null])
    }
  })

  test.each(repeatable)('%s asks for the passkey if the call does', async (_name, endpoint) => {
    const owner = visitors.get('owner')!
    await owner.again()
    const key = newKey()
    const given = exampleOf(endpoint)
    const first = await outcome(owner, endpoint, given, key)
    host.pass(signedInLimits.freshSeconds * 1000)
    const stale = await outcome(owner, endpoint, given)
    const repeat = await outcome(owner, endpoint, given, key)
    if (stale.code === 'passkey_needed')
      expect(repeat).toMatchObject({ code: 'passkey_needed', replayed: null })
    else if (first.status < 400) expect(repeat.replayed).toBe('true')
    await owner.signIn()
  })

  it('creates no key that the role may not create, nor changes one', async () => {
    const [owner, developer] = [visitors.get('owner')!, visitors.get('developer')!]
    await owner.again()
    await developer.signIn()
    const asked = { name: 'all', scopes: [...scopes] }
    const key = newKey()
    const made = await outcome(owner, createKey, asked, key)
    expect(made).toMatchObject({ status: 200, replayed: null })
    expect(await outcome(developer, createKey, asked)).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await outcome(developer, createKey, asked, key)).toMatchObject({
      status: 403,
      code: 'forbidden',
      replayed: null,
    })
    const { entries } = await host.call(getAuditLog, { query: { limit: 1 } })
    expect(entries[0]).toMatchObject({ operation: 'createKey', outcome: 'forbidden' })
    const { keyId } = made.body
    for (const endpoint of [setPrimaryKey, revokeKey]) {
      const once = newKey()
      await outcome(owner, endpoint, { keyId }, once)
      expect(await outcome(developer, endpoint, { keyId }, once)).toMatchObject({
        status: 403,
        replayed: null,
      })
    }
    expect(await outcome(owner, createKey, asked, key)).toMatchObject({ status: 200, replayed: 'true' })
  })

  it('stores no request for the passkey: the same call succeeds once it was shown', async () => {
    const developer = visitors.get('developer')!
    await developer.signIn()
    const verificationConfig = { redirectConfig: { passedUrl: 'https://shop.example/' } }
    const { verificationId } = await host.call(createVerification, { body: { name: 'stepped up' } })
    host.pass(signedInLimits.freshSeconds * 1000)
    const key = newKey()
    const change = () => outcome(developer, updateVerification, { verificationId, verificationConfig }, key)
    expect(await change()).toMatchObject({ code: 'passkey_needed', replayed: null })
    await developer.again()
    expect(await change()).toMatchObject({ status: 200, replayed: null })
    expect(await change()).toMatchObject({ status: 200, replayed: 'true' })
    host.pass(signedInLimits.freshSeconds * 1000)
    // By now it no longer changes anything, so it does not need a passkey.
    expect(await change()).toMatchObject({ status: 200, replayed: 'true' })
  })

  it('answers nothing to a person whose role changed while the body was sent', async () => {
    const { changeRole } = consoleCatalogue
    const leaving = await signedInAs(host, 'developer', 'Leaving')
    const key = newKey()
    const given = { name: 'left', verificationConfig: {} }
    expect(await outcome(leaving, createVerification, given, key)).toMatchObject({ status: 200 })
    const owner = visitors.get('owner')!
    await owner.again()
    await owner.ask(changeRole, { operatorId: leaving.me().operatorId, role: 'viewer' })
    expect(await outcome(leaving, createVerification, given, key)).toMatchObject({
      status: 403,
      replayed: null,
    })
  })
})

describe('a repeat with a key', () => {
  it.each(repeatable)('of %s is refused to one without the scope', async (_name, endpoint) => {
    const needed = scopesFor(endpoint)
    if (needed.length === 0) return
    const rest = scopes.filter((scope) => !needed.includes(scope))
    const { apiKey } = await host.services.accounts.keys.create(host.accountId, 'less', rest)
    const idempotencyKey = newKey()
    const ask = async (key: string) => {
      const given = exampleOf(endpoint) as Record<string, string>
      const query = endpoint.query === undefined ? '' : `?${new URLSearchParams(given)}`
      const answer = await host.fetch(endpoint.path + query, {
        method: endpoint.method,
        headers: {
          authorization: `ApiKey ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        ...(endpoint.body === undefined ? {} : { body: JSON.stringify(given) }),
      })
      await answer.text()
      return [answer.status, answer.headers.get('idempotency-replayed')]
    }
    await ask(host.apiKey)
    expect(await ask(apiKey)).toEqual([403, null])
  })

  it('gets the stored answer with any credential of the account that may make the call', async () => {
    const owner = visitors.get('owner')!
    await owner.again()
    const idempotencyKey = newKey()
    const asked = { name: 'of a key', scopes: [] }
    const headers = { authorization: `ApiKey ${host.apiKey}`, 'idempotency-key': idempotencyKey }
    const first = await host.fetch(createKey.path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
    expect(first.status).toBe(200)
    expect(await outcome(owner, createKey, asked, idempotencyKey)).toMatchObject({
      status: 200,
      replayed: 'true',
    })
    const { keys: all } = await host.call(getKeys, {})
    expect(all.filter(({ name }) => name === 'of a key')).toHaveLength(1)
  })
})

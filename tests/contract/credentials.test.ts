import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '#shared/contract/catalogue.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { type Endpoint, scopes, scopesFor } from '#shared/endpoint.ts'
import { endpoints } from '../support/contract/endpoints.ts'
import { pairDevice, tokenOf } from '../support/kiosk-device.ts'
import { newVerification, openSession } from '../support/visit.ts'
import { ask, expectProblem } from './ask.ts'
import type { CaseRequest } from './contract-case.ts'
import { type Setting, startSetting } from './setting.ts'

let setting: Setting
/** `Authorization` values, keyed by description. */
let given: Record<string, string>
beforeAll(async () => {
  setting = await startSetting()
  given = await credentials(setting)
})
afterAll(() => setting.close())

async function credentials({ host, key, keyWith, hostWith }: Setting): Promise<Record<string, string>> {
  const bearer = async (on = host, expirationInSeconds = 900) =>
    `Bearer ${(await on.call(getToken, { query: { expirationInSeconds } })).token}`
  const { accounts } = host.services
  const made = await accounts.keys.create(host.accountId, 'Revoked', [
    'admin',
    'configure',
    'analyse',
    'tokens',
  ])
  const { token: orphaned } = await host.call(getToken, { query: {}, apiKey: made.apiKey })
  await accounts.keys.revoke(host.accountId, made.key.keyId)
  const expired = await bearer(host, 60)
  host.pass(66_000)
  const { sessionToken } = await openSession(host, await newVerification(host))
  const kiosk = await tokenOf(host, await pairDevice(host, await newVerification(host)))
  const bare = key.replace('ApiKey ', '')
  return {
    key,
    bearer: await bearer(),
    session: `Bearer ${sessionToken}`,
    kiosk: `Bearer ${kiosk}`,
    'a key without scopes': await keyWith(),
    'an unknown key': `ApiKey ${'A'.repeat(43)}`,
    'a revoked key': `ApiKey ${made.apiKey}`,
    'a bearer of a revoked key': `Bearer ${orphaned}`,
    'an expired bearer': expired,
    'a bearer of another region': await bearer(await hostWith('US', { ports: { region: 'US' } })),
    'a bearer cut short': (await bearer()).slice(0, -2),
    'a key without scheme': bare,
    'a scheme without key': 'ApiKey',
    'a key as Basic': `Basic ${bare}`,
    'a key as bearer': `Bearer ${bare}`,
    'a key and something more': `${key} more`,
    'two keys': `${key}, ${key}`,
  }
}

const worthless = [
  'an unknown key',
  'a revoked key',
  'a bearer of a revoked key',
  'an expired bearer',
  'a bearer of another region',
  'a bearer cut short',
  'a key without scheme',
  'a scheme without key',
  'a key as Basic',
  'a key as bearer',
  'a key and something more',
  'two keys',
]

const verifyEndpoints = new Set<Endpoint>(Object.values(catalogue.verify))
const guarded = [...endpoints].filter(([, { auth }]) => auth !== 'none')
const ofAccounts = guarded.filter(([, { auth }]) => auth !== 'session' && auth !== 'kiosk')

/** An endpoint's answer to a request with only these credentials. Callers without permission must not learn more. */
function knock(endpoint: Endpoint, request: CaseRequest = {}) {
  return ask(setting, endpoint, request)
}

describe.each(guarded)('%s', (name, endpoint) => {
  test('refuses a request without a credential', async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'no credential' }
    expectProblem(await knock(endpoint), 401)
  })

  test.for(worthless)('refuses %s', async (credential, { task }) => {
    task.meta.tried = { endpoint: name, rule: credential }
    expectProblem(await knock(endpoint, { authorization: given[credential]! }), 401)
  })

  const others = {
    key: ['bearer', 'session', 'kiosk'],
    'key-or-bearer': ['session', 'kiosk'],
    session: ['key', 'bearer', 'kiosk'],
    kiosk: ['key', 'bearer', 'session'],
    none: [],
  } as Record<string, string[]>
  test.for(others[endpoint.auth]!)('refuses what is valid elsewhere: %s', async (credential, { task }) => {
    task.meta.tried = { endpoint: name, rule: `${credential} elsewhere` }
    expectProblem(await knock(endpoint, { authorization: given[credential]! }), 401)
  })

  test('accepts its own kind of credential', async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'own credential' }
    const { auth } = endpoint
    const authorization = given[auth === 'session' || auth === 'kiosk' ? auth : 'key']!
    expect([401, 403]).not.toContain((await knock(endpoint, { authorization })).status)
  })

  test('accepts X-API-Key on the verify service, and nowhere else', async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'X-API-Key' }
    const answer = await knock(endpoint, { headers: { 'x-api-key': setting.host.apiKey } })
    if (verifyEndpoints.has(endpoint)) expect([401, 403]).not.toContain(answer.status)
    else expectProblem(answer, 401)
  })
})

describe.each(ofAccounts)('%s', (name, endpoint) => {
  const needed = scopesFor(endpoint)
  const scope = needed.length === 0 ? undefined : needed.join(' or ')
  /** A token needs at least one scope. */
  const beside = name === 'getToken' || name === 'getVerifyToken' ? (['analyse'] as const) : []

  test('answers 403 to a key of a deleted account', async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'account is gone' }
    expectProblem(await knock(endpoint, { authorization: await setting.orphan() }), 403)
  })

  test(`requires ${scope ?? 'no scope'}, and no other`, async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'scope' }
    for (const one of needed.length === 0 ? [[]] : needed.map((scope) => [scope, ...beside])) {
      const own = await setting.keyWith(...one)
      expect([401, 403]).not.toContain((await knock(endpoint, { authorization: own })).status)
    }
    if (needed.length === 0) return
    const rest = await setting.keyWith(...scopes.filter((other) => !needed.includes(other)))
    expectProblem(await knock(endpoint, { authorization: rest }), 403)
  })
})

describe.each(ofAccounts.filter(([, { auth }]) => auth === 'key-or-bearer'))(
  '%s',
  (name, { scope, ...rest }) => {
    const endpoint: Endpoint = { ...rest, ...(scope && { scope }) }

    test('gives a bearer the permissions of its scope', async ({ task }) => {
      task.meta.tried = { endpoint: name, rule: 'scope of a bearer' }
      const needed = scopesFor(endpoint)
      for (const narrow of ['analyse', 'configure', 'people'] as const) {
        const { token } = await setting.host.call(getToken, { query: { scope: narrow } })
        const answer = await knock(endpoint, { authorization: `Bearer ${token}` })
        if (needed.length === 0 || needed.includes(narrow)) expect([401, 403]).not.toContain(answer.status)
        else expectProblem(answer, 403)
      }
    })
  },
)

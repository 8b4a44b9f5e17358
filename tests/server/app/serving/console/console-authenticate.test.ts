import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { getKeys, revokeKey } from '#shared/contract/account/account.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import {
  type ConsoleVisitor,
  consoleOf,
  type Otherwise,
  signedInAs,
} from '../../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../../support/host.ts'

const { getMe, beginSignIn, changeRole, removePerson, signOut, switchAccount } = consoleCatalogue

let host: Host
let ada: ConsoleVisitor
beforeAll(async () => {
  host = await startHost()
  ada = await signedInAs(host, 'owner', 'Ada')
})
afterAll(() => host.close())

describe('the caller of the console', () => {
  const foreign: readonly (readonly [string, Otherwise])[] = [
    ['another origin', { origin: 'https://evil.example', site: 'cross-site' }],
    ['another origin that says it is the same', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://localhost:1', site: 'same-site' }],
    ['the number of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page that is null', { origin: 'null' }],
    ['a link', { origin: null, site: 'none' }],
    ['no browser', { origin: null, site: null }],
    ['a browser that names the origin alone', { site: null }],
  ]

  test.each(foreign)('is refused from %s, whatever the cookie says', async (_name, otherwise) => {
    for (const endpoint of [getMe, getSessions, beginSignIn]) {
      const { status, body } = await ada.ask(endpoint, {}, otherwise)
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' })
    }
  })

  it('must send the origin for changes, and not for reads', async () => {
    expect((await ada.ask(getMe, {}, { origin: null })).status).toBe(200)
    expect((await ada.ask(beginSignIn, {}, { origin: null })).status).toBe(403)
  })

  const stolen: readonly (readonly [string, () => Otherwise])[] = [
    ['no token', () => ({ token: null })],
    ['an empty token', () => ({ token: '' })],
    ['another token', () => ({ token: 'x'.repeat(43) })],
    ['no cookie', () => ({ cookie: null })],
    [
      'a cookie of another secret',
      () => ({ cookie: ada.cookie()!.replace(/\.[\w-]+$/, `.${'x'.repeat(43)}`) }),
    ],
    ['half a cookie', () => ({ cookie: ada.cookie()!.split('.')[0]! })],
  ]

  test.each(stolen)('is nobody with %s', async (_name, otherwise) => {
    for (const endpoint of [getMe, getSessions]) {
      expect(await ada.ask(endpoint, {}, otherwise())).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      })
    }
  })

  it('is accepted under its own addresses only', async () => {
    const answer = await host.fetch(getSessions.path, {
      headers: { cookie: ada.cookie()!, origin: consoleOf(host), 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.status).toBe(401)
    expect(ada.cookie()).toMatch(/^selfsame-console=/)
  })

  it('cannot use a key instead of signing in', async () => {
    const answer = await host.fetch(`/console/api${getSessions.path}`, {
      headers: {
        authorization: `ApiKey ${host.apiKey}`,
        origin: consoleOf(host),
        'sec-fetch-site': 'same-origin',
      },
    })
    expect(answer.status).toBe(401)
  })

  it('is rejected after signing out, with all earlier credentials', async () => {
    const bob = await signedInAs(host, 'viewer', 'Bob')
    const cookie = bob.cookie()!
    await bob.ask(signOut)
    expect((await bob.ask(getSessions, {}, { cookie })).status).toBe(401)
  })

  it('is checked at every call: a removed or changed role counts from the next one', async () => {
    const eve = await signedInAs(host, 'developer', 'Eve')
    expect((await eve.ask(getKeys)).status).toBe(200)
    const { operatorId } = eve.me()
    await ada.again()
    expect((await ada.ask(changeRole, { operatorId, role: 'viewer' })).status).toBe(200)
    expect((await eve.ask(getKeys)).status).toBe(403)
    expect((await eve.ask(getSessions)).status).toBe(200)
    expect((await ada.ask(removePerson, { operatorId })).status).toBe(200)
    expect((await eve.ask(getSessions)).status).toBe(401)
    expect((await eve.signIn()).status).toBe(401)
  })

  it('uses the test account after switching there, and people remain those of the live one', async () => {
    const { accountId } = ada.me()
    await ada.again()
    expect((await ada.ask(switchAccount, { accountId, environment: 'test' })).body.environment).toBe('test')
    const made = (await ada.ask(getKeys)).body.keys as { name: string; keyId: string; scopes: string[] }[]
    expect(made).toMatchObject([{ name: 'Webhooks', scopes: [] }])
    const people = (await ada.ask(consoleCatalogue.getPeople)).body.people as { name: string }[]
    expect(people.map(({ name }) => name)).toContain('Ada')
    const { keys } = await host.call(getKeys, {})
    expect(keys.map(({ keyId }) => keyId)).not.toContain(made[0]!.keyId)
    await ada.ask(switchAccount, { accountId, environment: 'live' })
    expect((await ada.ask(getKeys)).body.keys).toHaveLength(keys.length)
  })

  it('is recorded in the audit log under the person’s name', async () => {
    await ada.again()
    await ada.ask(revokeKey, { keyId: 'not there' })
    const [entry] = await host.services.auditLog.page(host.accountId, 1, undefined)
    expect(entry).toMatchObject({
      operation: 'revokeKey',
      outcome: 'not_found',
      actor: { kind: 'operator', keyId: null, operator: { name: 'Ada', operatorId: ada.me().operatorId } },
    })
    expect(host.records.at(-1)).toMatchObject({ operatorId: ada.me().operatorId, accountId: host.accountId })
    expect(host.records.at(-1)).not.toHaveProperty('keyId')
    expect((await host.services.auditLog.verify(host.accountId)).valid).toBe(true)
  })
})

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createKey, updateAccount } from '#shared/contract/account/account.ts'
import { type AuditEntry, getAuditLog, verifyAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification, deleteVerification } from '#shared/contract/configuration/verification.ts'
import { getToken } from '#shared/contract/security/security.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { newVerification, openSession, problemOf, submit } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const log = async (on = host) => (await on.call(getAuditLog, { query: { limit: 100 } })).entries
const newest = async (on = host) => (await log(on))[0]!
const verify = (on = host, query = {}) => on.call(verifyAuditLog, { query })
const change = (on: Host, name: string) => on.call(updateAccount, { body: { name } })

describe('the audit log', () => {
  test('tells who did what to which resource, when, and how it ended', async () => {
    const verificationId = await newVerification(host)
    const entry = await newest()
    expect(entry).toMatchObject({
      operation: 'createVerification',
      resources: { verificationId },
      outcome: 'succeeded',
    })
    expect(entry.actor).toMatchObject({ kind: 'key', tokenId: null })
    expect(Math.abs(Date.parse(entry.time) - host.now())).toBeLessThan(5000)
  })

  test('names a bearer by its jti and the key that made it', async () => {
    const { token } = await host.call(getToken, { query: {} })
    await host.call(createVerification, { bearer: token, body: { name: 'By bearer' } })
    const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    expect((await newest()).actor).toEqual({ kind: 'bearer', keyId: payload.key, tokenId: payload.jti })
  })

  test('keeps what was refused', async () => {
    const query = { verificationId: 'unknown' }
    await problemOf(host.call(deleteVerification, { query }))
    expect(await newest()).toMatchObject({ operation: 'deleteVerification', outcome: 'not_found' })
  })

  test('leaves out what changes nothing, and never holds a key or a name', async () => {
    const before = (await log()).length
    await host.call(createSignature, { body: { queryString: 'a=1' } })
    await host.call(getToken, { query: {} })
    expect(await log()).toHaveLength(before)
    const { apiKey } = await host.call(createKey, { body: { name: 'Secretive', scopes: [] } })
    expect(JSON.stringify(await log())).not.toMatch(new RegExp(`${apiKey}|Secretive`))
  })

  test('tells when sessions are opened and end, by hashes of their ids', async () => {
    const own = await startHost()
    const verificationId = await newVerification(own)
    const opened = await openSession(own, verificationId, 'reExternalId=anna-7')
    await submit(own, opened, { person: 'anna' })
    await openSession(own, verificationId)
    own.pass(15 * 60_000)
    await own.services.expireOverdue()
    const entries = (await log(own)).reverse().slice(2)
    expect(entries.map(({ operation, actor }) => [operation, actor.kind])).toEqual([
      ['initRedirectSession', 'link'],
      ['completeSession', 'session'],
      ['initRedirectSession', 'link'],
      ['expireSession', 'server'],
    ])
    const [first, completed, second, expired] = entries.map(({ resources }) => resources.session)
    expect(first).toMatch(/^[\w-]{43}$/)
    expect([completed, expired]).toEqual([first, second])
    expect(first).not.toBe(second)
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${opened.verificationSessionId}|anna`))
    await own.close()
  })

  test('names a person by a hash that cannot be made without the store, and not after erasure', async () => {
    const own = await startHost()
    const caller = { query: undefined, accountId: own.accountId }
    await own.services.audit.note(caller.accountId, 'note', 'server', { externalId: 'anna-7' })
    await own.services.audit.note(caller.accountId, 'note', 'server', { externalId: 'anna-7' })
    const [b, a] = await log(own)
    expect(a!.resources.person).toBe(b!.resources.person)
    const plain = createHash('sha256').update('anna-7').digest('base64url')
    expect(a!.resources.person).not.toBe(plain)
    await own.call(deletePerson, { query: { externalId: 'anna-7' } })
    expect(await newest(own)).toMatchObject({ operation: 'deletePerson', resources: {} })
    await own.services.audit.note(caller.accountId, 'note', 'server', { externalId: 'anna-7' })
    expect((await newest(own)).resources.person).not.toBe(a!.resources.person)
    expect(await verify(own)).toMatchObject({ valid: true })
    await own.close()
  })

  test('is read page by page, newest first', async () => {
    const own = await startHost()
    for (const name of ['a', 'b', 'c', 'd']) await change(own, name)
    const found: number[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = { limit: 2, ...(cursor && { cursor }) }
      const page: { entries: AuditEntry[]; nextCursor: string | null } = await own.call(getAuditLog, {
        query,
      })
      found.push(...page.entries.map(({ sequence }) => sequence))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(found).toEqual([5, 4, 3, 2, 1])
    await own.close()
  })

  test('belongs to its account', async () => {
    const { apiKey } = await host.services.accounts.create('Other')
    const { entries } = await host.call(getAuditLog, { query: {}, apiKey })
    expect(entries.map(({ operation }) => operation)).toEqual(['createAccount'])
  })

  test('has no gap and no fork when two processes add to it at once', async () => {
    const store = createMemoryStore()
    const [one, two] = [await startHost({ store }), await startHost({ store })]
    const note = (of: Host) => of.services.audit.note(one.accountId, 'note', 'server', {})
    await Promise.all(Array.from({ length: 40 }, (_, i) => note(i % 2 === 0 ? one : two)))
    const entries = await log(one)
    expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 41 }, (_, i) => 41 - i))
    expect(await verify(one)).toMatchObject({ valid: true, checked: 41 })
    expect([...one.errors, ...two.errors]).toEqual([])
    await one.close()
    await two.close()
  })
})

describe('GET /v1/account/verify-audit-log', () => {
  const key = (kind: string, accountId: string, id: string) => {
    const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
    return `${kind}/${digest(accountId)}/${digest(id)}`
  }

  /** A log of four entries in a store that somebody gets at. */
  async function tampered(tamper: (own: Host, entry: (at: number) => string) => Promise<void>) {
    const own = await startHost()
    for (const name of ['a', 'b', 'c']) await change(own, name)
    await tamper(own, (at) => key('audit-entry', own.accountId, String(at)))
    const verdict = await verify(own)
    await own.close()
    return verdict
  }

  test('finds a log whole that nobody touched', async () => {
    const verdict = await tampered(async () => {})
    expect(verdict).toMatchObject({ valid: true, checked: 4, fault: null, faultAt: null })
  })

  test.each([
    ['operation', 'deletePerson'],
    ['time', '2020-01-01T00:00:00.000Z'],
    ['outcome', 'forbidden'],
    ['resources', { keyId: 'other' }],
    ['actor', { kind: 'server', keyId: null, tokenId: null }],
  ])('finds an entry whose %s was edited', async (name, value) => {
    const verdict = await tampered(async ({ store }, entry) => {
      const stored = JSON.parse(new TextDecoder().decode((await store.get(entry(2)))!))
      stored.value[name] = value
      await store.put(entry(2), new TextEncoder().encode(JSON.stringify(stored)))
    })
    expect(verdict).toMatchObject({ valid: false, fault: 'altered', faultAt: 2 })
  })

  test('finds an entry that was removed', async () => {
    const verdict = await tampered(({ store }, entry) => store.remove(entry(2)))
    expect(verdict).toMatchObject({ valid: false, fault: 'missing', faultAt: 2 })
  })

  test('finds entries that changed places', async () => {
    const verdict = await tampered(async ({ store }, entry) => {
      const [two, three] = [await store.get(entry(2)), await store.get(entry(3))]
      await store.put(entry(2), three!)
      await store.put(entry(3), two!)
    })
    expect(verdict).toMatchObject({ valid: false, fault: 'altered', faultAt: 2 })
  })

  test('finds an end that was cut off', async () => {
    const verdict = await tampered(({ store }, entry) => store.remove(entry(4)))
    expect(verdict).toMatchObject({ valid: false, fault: 'missing', faultAt: 4 })
  })

  test('finds a head that was removed or made up', async () => {
    const removed = await tampered(({ store, accountId }) =>
      store.remove(key('audit-head', accountId, 'head')),
    )
    expect(removed).toMatchObject({ valid: false, fault: 'headMissing' })
    const madeUp = await tampered(async ({ store, accountId }) => {
      const other = key('audit-head', accountId, 'head')
      await store.put(other, new TextEncoder().encode(JSON.stringify({ schema: 1, value: 'AAAA' })))
    })
    expect(madeUp).toMatchObject({ valid: false, fault: 'headAltered' })
  })

  test('finds a log that was put back to an older state, by a hash that was kept elsewhere', async () => {
    const own = await startHost()
    const headKey = key('audit-head', own.accountId, 'head')
    await change(own, 'a')
    const older = (await own.store.get(headKey))!
    await change(own, 'b')
    const { head } = await verify(own)
    await own.store.put(headKey, older)
    await own.store.remove(key('audit-entry', own.accountId, '3'))
    expect(await verify(own)).toMatchObject({ valid: true })
    expect(await verify(own, head!)).toMatchObject({ valid: false, fault: 'missing', faultAt: 3 })
    await change(own, 'c')
    expect(await verify(own, head!)).toMatchObject({ valid: false, fault: 'rewritten', faultAt: 3 })
    await own.close()
  })
})

describe('what is recorded', () => {
  const all = Object.values(catalogue).flatMap((role) => Object.entries<Endpoint>(role))

  test.each(all.filter(([, { method, scope }]) => method !== 'GET' && scope !== 'analyse'))(
    '%s is, or is known to change nothing of an account',
    (name, endpoint) => {
      const known = [
        'createSignature',
        'validateSignature',
        'searchFace',
        'submitStep',
        'submitSession',
        'createPasskeyOptions',
      ]
      // Those of a kiosk's device carry no key: what they change, their handlers note.
      known.push('pairKiosk', 'tokenKiosk', 'syncKiosk', 'submitKiosk')
      expect(endpoint.audit).toBe(known.includes(name) ? 'unrecorded' : 'recorded')
    },
  )

  test('no reading is, but for the export of a person, and no stateless analysis', () => {
    const silent = all.filter(([, { method, scope }]) => method === 'GET' || scope === 'analyse')
    const recorded = silent.filter(([, endpoint]) => endpoint.audit === 'recorded')
    expect(recorded.map(([name]) => name)).toEqual(['exportPerson'])
  })
})

import { createHash } from 'node:crypto'
import { stat, truncate, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packFrame } from '#server/features/audit/segments/frame-bytes.ts'
import type { Frame } from '#server/features/audit/segments/segments.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createKey, updateAccount } from '#shared/contract/account/account.ts'
import { type AuditEntry, getAuditLog, verifyAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification, deleteVerification } from '#shared/contract/configuration/verification.ts'
import { getToken } from '#shared/contract/security/security.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { framesOf, hostFrames, putFrames, segmentFilesOf } from '../../../support/audit/segments-of-host.ts'
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
  test('records who did what to which resource, when, and how it ended', async () => {
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

  test('names a bearer by its jti and the key that created it', async () => {
    const { token } = await host.call(getToken, { query: {} })
    await host.call(createVerification, { bearer: token, body: { name: 'By bearer' } })
    const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    expect((await newest()).actor).toEqual({ kind: 'bearer', keyId: payload.key, tokenId: payload.jti })
  })

  test('records refused calls', async () => {
    const query = { verificationId: 'unknown' }
    await problemOf(host.call(deleteVerification, { query }))
    expect(await newest()).toMatchObject({ operation: 'deleteVerification', outcome: 'not_found' })
  })

  test('omits calls that change nothing, and never contains a key or a name', async () => {
    const before = (await log()).length
    await host.call(createSignature, { body: { queryString: 'a=1' } })
    await host.call(getToken, { query: {} })
    expect(await log()).toHaveLength(before)
    const { apiKey } = await host.call(createKey, { body: { name: 'Secretive', scopes: [] } })
    expect(JSON.stringify(await log())).not.toMatch(new RegExp(`${apiKey}|Secretive`))
  })

  test('records when sessions are opened and end, by hashes of their ids', async () => {
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

  test('names a person by a hash that cannot be computed without the store, nor after erasure', async () => {
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
  /** A log with four entries that were moved separately, in segments and a store that an attacker can change. */
  async function tampered(tamper: (own: Host, frames: Frame[]) => Promise<void>, isMoved = true) {
    const own = await startHost()
    const move = async () => isMoved && own.services.auditLog.move('due')
    await move()
    for (const name of ['a', 'b', 'c']) {
      await change(own, name)
      await move()
    }
    await tamper(own, await framesOf(own))
    const verdict = await verify(own)
    await own.close()
    return verdict
  }

  const keysOf = async (own: Host) =>
    (await allOf(own.store.list(`audit-outbox/${own.accountId}/`))).map(({ key }) => key)
  const headKeyOf = async (own: Host) => {
    const heads = await allOf(own.store.list('audit-head/'))
    expect(heads).toHaveLength(1)
    return heads[0]!.key
  }

  test.each([true, false])('finds an untouched log valid (moved: %s)', async (isMoved) => {
    const verdict = await tampered(async (_own, frames) => {
      expect(frames).toHaveLength(isMoved ? 4 : 0)
    }, isMoved)
    expect(verdict).toMatchObject({ valid: true, checked: 4, fault: null, faultAt: null })
  })

  test.each([
    ['operation', 'deletePerson'],
    ['time', '2020-01-01T00:00:00.000Z'],
    ['outcome', 'forbidden'],
    ['resources', { keyId: 'other' }],
    ['actor', { kind: 'server', keyId: null, tokenId: null }],
  ])('finds an entry whose %s was edited', async (name, value) => {
    const verdict = await tampered(async (own, frames) => {
      const [entry] = hostFrames.openEntries(own.accountId, frames[1]!)!
      frames[1] = hostFrames.entries(own.accountId, [{ ...entry!, [name]: value }])
      await putFrames(own, frames)
    })
    expect(verdict).toMatchObject({ valid: false, fault: 'altered', faultAt: 2 })
  })

  test('finds an entry with a flipped bit, and one of another account', async () => {
    const turned = await tampered(async (own, frames) => {
      const content = Buffer.from(frames[1]!.content)
      content[20]! ^= 1
      await putFrames(own, [frames[0]!, { ...frames[1]!, content }, ...frames.slice(2)])
    })
    expect(turned).toMatchObject({ valid: false, fault: 'altered', faultAt: 2 })
    const foreign = await tampered(async (own, frames) => {
      const entries = hostFrames.openEntries(own.accountId, frames[1]!)!
      frames[1] = hostFrames.entries('another', entries)
      await putFrames(own, frames)
    })
    expect(foreign).toMatchObject({ valid: false, fault: 'altered', faultAt: 2 })
  })

  test('finds a removed entry', async () => {
    const verdict = await tampered((own, frames) => putFrames(own, frames.toSpliced(1, 1)))
    expect(verdict).toMatchObject({ valid: false, fault: 'missing', faultAt: 2 })
  })

  test('finds swapped entries', async () => {
    const moved = await tampered(async (own, [one, two, three, four]) => {
      const [path] = await segmentFilesOf(own)
      await writeFile(path!, Buffer.concat([one!, three!, two!, four!].map(packFrame)))
    })
    expect(moved).toMatchObject({ valid: false, fault: 'missing', faultAt: 2 })
    const exchanged = await tampered((own, [one, two, three, four]) =>
      putFrames(own, [
        one!,
        { ...two!, content: three!.content },
        { ...three!, content: two!.content },
        four!,
      ]),
    )
    expect(exchanged).toMatchObject({ valid: false, fault: 'altered', faultAt: 2 })
  })

  test('finds a truncated end, by a frame, by some bytes, or with its file', async () => {
    const frame = await tampered((own, frames) => putFrames(own, frames.slice(0, -1)))
    expect(frame).toMatchObject({ valid: false, fault: 'missing', faultAt: 4 })
    const bytes = await tampered(async (own) => {
      const [path] = await segmentFilesOf(own)
      await truncate(path!, (await stat(path!)).size - 3)
    })
    expect(bytes).toMatchObject({ valid: false, fault: 'missing', faultAt: 4 })
    const file = await tampered((own) => putFrames(own, []))
    expect(file).toMatchObject({ valid: false, fault: 'missing', faultAt: 1 })
  })

  test('finds additions after the end, and contradictory duplicates', async () => {
    const added = await tampered(async (own, frames) => {
      const [last] = hostFrames.openEntries(own.accountId, frames.at(-1)!)!
      await putFrames(own, [...frames, hostFrames.entries(own.accountId, [{ ...last!, sequence: 5 }])])
    })
    expect(added).toMatchObject({ valid: false, fault: 'headAltered', faultAt: 5 })
    const twice = await tampered(async (own, frames) => {
      const [last] = hostFrames.openEntries(own.accountId, frames.at(-1)!)!
      const other = hostFrames.entries(own.accountId, [{ ...last!, hash: 'another' }])
      await putFrames(own, [...frames, other])
    })
    expect(twice).toMatchObject({ valid: false, fault: 'rewritten', faultAt: 4 })
    const same = await tampered((own, frames) => putFrames(own, [...frames, ...frames.slice(1, 3)]))
    expect(same).toMatchObject({ valid: true, checked: 4 })
  })

  test('finds manipulated waiting entries', async () => {
    const altered = await tampered(async (own) => {
      const key = (await keysOf(own))[1]!
      await own.store.put(key, Buffer.from('AAAA'))
    }, false)
    expect(altered).toMatchObject({ valid: false, fault: 'altered', faultAt: 2 })
    const removed = await tampered(async (own) => own.store.remove((await keysOf(own))[1]!), false)
    expect(removed).toMatchObject({ valid: false, fault: 'missing', faultAt: 2 })
    const movedOn = await tampered(async (own) => {
      await own.store.remove((await keysOf(own))[1]!)
      await own.services.auditLog.move('all')
    }, false)
    expect(movedOn).toMatchObject({ valid: false, fault: 'missing', faultAt: 2 })
  })

  test('finds a removed or forged head', async () => {
    const removed = await tampered(async (own) => own.store.remove(await headKeyOf(own)))
    expect(removed).toMatchObject({ valid: false, fault: 'headMissing' })
    const madeUp = await tampered(async (own) => {
      const value = new TextEncoder().encode(JSON.stringify({ schema: 1, value: 'AAAA' }))
      await own.store.put(await headKeyOf(own), value)
    })
    expect(madeUp).toMatchObject({ valid: false, fault: 'headAltered' })
  })

  test('finds a log that was reset to an older state, by a hash that was kept elsewhere', async () => {
    const own = await startHost()
    const { auditLog } = own.services
    await change(own, 'a')
    await auditLog.move('due')
    const headKey = await headKeyOf(own)
    const [older, frames] = [(await own.store.get(headKey))!, await framesOf(own)]
    const counter = `audit-outbox/${own.accountId}#`
    const count = (await own.store.get(counter))!
    await change(own, 'b')
    await auditLog.move('due')
    const { head } = await verify(own)
    await own.store.put(headKey, older)
    await own.store.put(counter, count)
    await putFrames(own, frames)
    expect(await verify(own)).toMatchObject({ valid: true })
    expect(await verify(own, head!)).toMatchObject({ valid: false, fault: 'missing', faultAt: 3 })
    await change(own, 'c')
    expect(await verify(own, head!)).toMatchObject({ valid: false, fault: 'rewritten', faultAt: 3 })
    await auditLog.move('due')
    expect(await verify(own, head!)).toMatchObject({ valid: false, fault: 'rewritten', faultAt: 3 })
    await own.close()
  })

  test('finds that only the store was reset, because the segments continue further', async () => {
    const own = await startHost()
    const { auditLog } = own.services
    await auditLog.move('due')
    const former = await allOf(own.store.list('audit-'))
    await change(own, 'a')
    await auditLog.move('due')
    for (const { key, value } of former) await own.store.put(key, value)
    expect(await verify(own)).toMatchObject({ valid: false, fault: 'headAltered', faultAt: 2 })
    await change(own, 'b')
    expect(await verify(own)).toMatchObject({ valid: false, fault: 'rewritten', faultAt: 2 })
    await auditLog.move('due')
    expect(await verify(own)).toMatchObject({ valid: false, fault: 'rewritten', faultAt: 2 })
    await own.close()
  })
})

describe('the set of recorded calls', () => {
  const all = Object.values(catalogue).flatMap((role) => Object.entries<Endpoint>(role))

  test.each(all.filter(([, { method, scope }]) => method !== 'GET' && scope !== 'analyse'))(
    'includes %s, unless it is known to change nothing of an account',
    (name, endpoint) => {
      const known = [
        'createSignature',
        'validateSignature',
        'searchFace',
        'searchCandidates',
        'readLink',
        'submitPictures',
        'submitStep',
        'submitSession',
        'createPasskeyOptions',
      ]
      // A kiosk device makes calls without a key, so their handlers record the changes.
      known.push('pairKiosk', 'tokenKiosk', 'syncKiosk', 'submitKiosk')
      expect(endpoint.audit).toBe(known.includes(name) ? 'unrecorded' : 'recorded')
    },
  )

  test('includes no reads except those of a person, and no stateless analysis', () => {
    const silent = all.filter(([, { method, scope }]) => method === 'GET' || scope === 'analyse')
    const recorded = silent.filter(([, endpoint]) => endpoint.audit === 'recorded')
    expect(recorded.map(([name]) => name)).toEqual(['getEvidence', 'getSimilarSessions', 'exportPerson'])
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import type { Observation } from '#models/rules/observation.ts'
import { packs } from '#models/rules/packs.ts'
import { createFindSimilarVisits, mostVisits } from '#server/features/sessions/judging/find-similar-visits.ts'
import { createSessionFaces } from '#server/features/sessions/records/session-faces.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { createVisitStore } from '#server/features/sessions/records/visit-store.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { frameOf, noon } from '../../../../support/drawn/observations.ts'
import { axis, rimWith } from '../../../../support/drawn/visits.ts'
import { describeOnSharedStores } from '../../../../support/stores.ts'

const day = 24 * 3600_000
let time = noon
const now = () => time
beforeEach(() => {
  time = noon
})
const keyRing = createKeyRing(Buffer.alloc(32, 7), 'EU')
const accounts = {
  find: async (accountId: string) => ({ accountId }) as never,
  personDigest: (_: unknown, externalId: string) => `digest of ${externalId}`,
}

function processOn(store: Store) {
  const visits = createVisitStore(store, keyRing)
  const sessions = createTable<string>(store, 'session')
  const findSimilar = createFindSimilarVisits({
    store,
    visits,
    sessionFaces: createSessionFaces(store, keyRing),
    accounts,
    pack: packs.standard,
    now,
  })
  /** One of the account's sessions, which is in the store. */
  async function session(sessionId: string, { accountId = 'a', externalId = null as string | null } = {}) {
    await sessions.put(accountId, sessionId, 'open')
    const { guard } = (await sessions.read(accountId, sessionId))!
    const record = { accountId, sessionId, created: time, inputs: { externalId } }
    return { value: record as unknown as SessionRecord, guard }
  }
  return { store, visits, sessions, findSimilar, session }
}

const seen = (person = 0): Observation[] => [
  frameOf({ rim: rimWith(20), luminance: 120, face: { embedding: axis(person) } }),
]
const ids = (found: Awaited<ReturnType<ReturnType<typeof processOn>['findSimilar']>>) =>
  found.map(({ kind, sessionId }) => `${kind} ${sessionId}`)

describe('a visit similar to earlier ones', () => {
  const start = () => processOn(createMemoryStore(now))

  test('finds them within its account, and never itself', async () => {
    const { findSimilar, session } = start()
    expect(ids(await findSimilar(await session('1'), seen()))).toEqual([])
    expect(ids(await findSimilar(await session('1'), seen()))).toEqual([])
    const again = await findSimilar(await session('2'), seen())
    expect(ids(again)).toEqual(['sameScene 1', 'similarFace 1'])
    expect(ids(await findSimilar(await session('3', { accountId: 'b' }), seen()))).toEqual([])
  })

  test('recognises a returning person by the digest of the external id', async () => {
    const { findSimilar, session } = start()
    await findSimilar(await session('1', { externalId: 'anna' }), seen())
    expect(ids(await findSimilar(await session('2', { externalId: 'anna' }), seen()))).toEqual([
      'sameScene 1',
    ])
    expect(ids(await findSimilar(await session('3', { externalId: 'bert' }), seen()))).toContain(
      'similarFace 1',
    )
  })

  test('forgets after 7 days', async () => {
    const { findSimilar, session } = start()
    await findSimilar(await session('1'), seen())
    time = noon + 7 * day - 1000
    expect(ids(await findSimilar(await session('2'), seen()))).toContain('sameScene 1')
    time = noon + 7 * day
    expect(ids(await findSimilar(await session('3'), seen()))).not.toContain('sameScene 1')
  })

  test('stores nothing of a session that was erased meanwhile, or that showed nothing', async () => {
    const { findSimilar, session, sessions, visits } = start()
    const erased = await session('1')
    await sessions.remove('a', '1')
    expect(ids(await findSimilar(erased, seen()))).toEqual([])
    await findSimilar(await session('2'), [frameOf({ face: null })])
    expect(await visits.list('a')).toEqual([])
  })

  test('is deleted with the session', async () => {
    const { store, findSimilar, session, visits } = start()
    await findSimilar(await session('1'), seen())
    await store.commit([visits.erase('a', '1')], [])
    expect(ids(await findSimilar(await session('2'), seen()))).toEqual([])
  })

  test(`displaces the oldest of ${mostVisits}`, async () => {
    const { store, findSimilar, session, visits } = start()
    const [first] = await (async () => {
      await findSimilar(await session('0'), seen())
      return visits.list('a')
    })()
    for (let i = 1; i < mostVisits; i++)
      await store.commit([visits.write('a', { ...first!, sessionId: String(i), at: noon + i }, 1000)], [])
    time += 10_000
    await findSimilar(await session('new'), seen(5))
    const kept = (await visits.list('a')).map(({ sessionId }) => sessionId)
    expect(kept).toHaveLength(mostVisits)
    expect(kept).toContain('new')
    expect(kept).not.toContain('0')
    expect(kept).toContain('1')
  })

  test('is sealed with the key, for its session of its account only', async () => {
    const { store, findSimilar, session, visits } = start()
    await findSimilar(await session('1', { externalId: 'anna' }), seen())
    const entries: { key: string; value: Uint8Array }[] = []
    for await (const entry of store.list('earlier-visit/')) entries.push(entry)
    expect(entries).toHaveLength(1)
    const text = Buffer.from(entries[0]!.value).toString()
    const { value } = JSON.parse(text)
    expect(Object.keys(value)).toEqual(['sessionId', 'sealed'])
    const { sealed } = value
    expect(() => keyRing.open('earlier-visit', 'a/2', sealed)).toThrow()
    expect(() => keyRing.open('earlier-visit', 'b/1', sealed)).toThrow()
    const [visit] = await visits.list('a')
    expect(visit!.person).toBe('digest of anna')
    expect(visit!.visit.face!.embedding).toEqual(axis(0))
  })
})

describeOnSharedStores('visits in several processes', (shared) => {
  test('find each other; of two concurrent ones at least one finds the other', async () => {
    const [one, other] = [processOn(await shared.open(now)), processOn(await shared.open(now))]
    await one.findSimilar(await one.session('1'), seen())
    expect(ids(await other.findSimilar(await other.session('2'), seen()))).toContain('sameScene 1')
    const both = await Promise.all([
      one.session('3').then((session) => one.findSimilar(session, seen())),
      other.session('4').then((session) => other.findSimilar(session, seen())),
    ])
    const found = both.flatMap(ids)
    expect(found.includes('sameScene 4') || found.includes('sameScene 3')).toBe(true)
    await one.store.commit([one.visits.erase('a', '1')], [])
    expect(ids(await other.findSimilar(await other.session('5'), seen()))).not.toContain('sameScene 1')
  })
})

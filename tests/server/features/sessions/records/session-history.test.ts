import { describe, expect, test } from 'vitest'
import { type Filters, fitsRow } from '#server/features/sessions/listing/session-entry.ts'
import { createSessionLists } from '#server/features/sessions/listing/session-lists.ts'
import type { ListCursor } from '#server/features/sessions/listing/session-register.ts'
import { doubtOf } from '#server/features/sessions/records/doubt.ts'
import { classFrom, classOf, classText } from '#server/features/sessions/records/history-keys.ts'
import { createSessionHistory } from '#server/features/sessions/records/session-history.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { digestOfSession, rowOf, standingOf } from '#server/features/sessions/records/session-row.ts'
import { createSessionRows } from '#server/features/sessions/records/session-rows.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import { describeOnSharedStores } from '../../../../support/stores.ts'

const keyRing = createKeyRing(Buffer.alloc(32, 7), 'EU')
const day = 24 * 3600_000
const start = 1_800_000_000_000
const sessions = 240

const outcomes: readonly (readonly FailedReason[])[] = [
  [],
  [],
  [],
  ['noFace'],
  ['ageUncertain', 'lowQuality'],
  ['sessionExpired'],
]

/** Spread over 300 days. Several end in the same millisecond. */
function recordOf(number: number, more: object = {}): SessionRecord {
  const reasons = outcomes[(number * 7) % outcomes.length]!
  const result = {
    verificationResult: reasons.length === 0 ? 'Pass' : 'Fail',
    verificationFailedReasons: [...reasons],
    assurance: 'low',
    findings: number % 11 === 0 ? [{ kind: 'sameScene', verificationSessionId: 'x' }] : [],
  }
  return {
    accountId: 'account',
    sessionId: `session ${number}`,
    verificationId: number % 9 === 0 ? null : `v${number % 4}`,
    inputs: {
      externalId: number % 3 === 0 ? `person ${number % 5}` : null,
      correlationId: number % 4 === 0 ? `order ${number % 6}` : null,
    },
    source: number % 5 === 0 ? 'kiosk' : 'link',
    kiosk: number % 5 === 0 ? { kioskId: `k${number % 2}` } : undefined,
    state: reasons.includes('sessionExpired') ? 'Expired' : 'Completed',
    settings: { history: { days: number % 8 === 0 ? 350 : 400 } },
    tries: number % 3,
    reached: [],
    created: start + Math.floor(number / 3) * Math.floor((300 * day * 3) / sessions),
    completedAt: start,
    review: null,
    outcome: { result },
    ...more,
  } as never
}

const reviewed = { decision: 'Pass', note: null, reviewedAt: new Date(start).toISOString(), by: 'k' } as const
const records = Array.from({ length: sessions }, (_, number) =>
  recordOf(number, number % 13 === 0 ? { review: reviewed } : {}),
)
const lastOfAll = start + 301 * day

const asked: readonly Filters[] = [
  {},
  { verificationId: 'v2' },
  { verificationId: 'unknown' },
  { verificationResult: 'Fail' },
  { failedReason: 'lowQuality' },
  { failedReason: 'noFace', verificationResult: 'Pass' },
  { state: 'Expired' },
  { state: 'Created' },
  { source: 'kiosk', verificationId: 'v1' },
  { externalId: 'person 3' },
  { externalId: 'person 0', correlationId: 'order 0' },
  { externalId: 'person 0', failedReason: 'noFace' },
  { correlationId: 'order 4' },
  { kioskId: 'k1' },
  { kioskId: 'k1', verificationResult: 'Fail' },
  { review: 'reviewed' },
  { verificationSessionId: 'session 30' },
  { verificationSessionId: 'session 30', externalId: 'nobody' },
  {
    createdFrom: new Date(start + 40 * day).toISOString(),
    createdTo: new Date(start + 60 * day).toISOString(),
  },
  { createdTo: new Date(start + 60 * day).toISOString(), verificationId: 'v3' },
]

describeOnSharedStores('the history of sessions', (shared) => {
  test('contains exactly the matching rows, in order, for any filters, pages and direction', async () => {
    const store = await shared.open(() => lastOfAll)
    const now = () => lastOfAll
    const history = createSessionHistory(store, keyRing, now)
    const rows = createSessionRows(store, keyRing)
    for (const record of records) {
      const { accountId, review } = record
      await store.commit(history.writes(undefined, { ...record, review: null }), [])
      if (review !== null) await store.commit(history.writes({ ...record, review: null }, record), [])
      if (record.created < lastOfAll - 7 * day) continue
      const row = rowOf(record)
      await store.commit(
        [rows.write(accountId, row, 600), rows.note(accountId, row.sessionId, null, 600)],
        [],
      )
    }
    const lists = createSessionLists(rows, history, now)
    for (const filters of asked) {
      for (const order of ['newest', 'leastCertain'] as const) {
        const seen: string[] = []
        for (let cursor: ListCursor | null | undefined; cursor !== null; ) {
          const page = await lists.page('account', { ...filters, order }, 7, cursor)
          expect(page.sessions.length === 7 || page.next === null, JSON.stringify(filters)).toBe(true)
          seen.push(...page.sessions.map(({ digest }) => digest))
          cursor = page.next
        }
        expect(seen, JSON.stringify({ filters, order })).toEqual(expected(filters, order))
      }
    }
    expect((await lists.page('account', { review: 'waiting' }, 100, undefined)).sessions).toHaveLength(
      expected({ review: 'waiting' }, 'newest').length - expectedPast({ review: 'waiting' }),
    )
  })

  test('is gone after its days, and invisible to others', async () => {
    let at = start
    const store = await shared.open(() => at)
    const history = createSessionHistory(store, keyRing, () => at)
    const record = recordOf(3, { accountId: 'other', created: start, settings: { history: { days: 30 } } })
    await store.commit(history.writes(undefined, record), [])
    const digest = digestOfSession(record.sessionId)
    at = start + 30 * day - 1000
    expect(await history.read('other', digest)).toMatchObject({ sessionId: record.sessionId, days: 30 })
    expect(await history.read('somebody', digest)).toBeUndefined()
    at = start + 30 * day + 1000
    expect(await history.read('other', digest)).toBeUndefined()
    for await (const entry of history.entries('other', 'all', '')) expect(entry).toBe('none')
  })
})

function expected(filters: Filters, order: 'newest' | 'leastCertain'): string[] {
  const { verificationSessionId: id } = filters
  const named = records.filter(({ sessionId }) => id === undefined || sessionId === id)
  const fitting = named.map(rowOf).filter(fitsRow(filters))
  const keyed = fitting.map((row) => ({
    doubt: order === 'newest' ? 0 : doubtOf({ ...row, ...standingOf(row) }),
    created: row.created,
    digest: digestOfSession(row.sessionId),
  }))
  keyed.sort((a, b) => b.doubt - a.doubt || b.created - a.created || (a.digest < b.digest ? 1 : -1))
  return keyed.map(({ digest }) => digest)
}

function expectedPast(filters: Filters): number {
  return records.map(rowOf).filter((row) => fitsRow(filters)(row) && row.created < lastOfAll - 7 * day).length
}

describe('a row of the history', () => {
  test('names no person in the store, neither in keys nor in values', async () => {
    const store = createMemoryStore()
    const history = createSessionHistory(store, keyRing, () => start)
    const inputs = { externalId: 'anna-7', correlationId: 'order-7' }
    await store.commit(history.writes(undefined, recordOf(5, { inputs, created: start })), [])
    const seen: string[] = []
    for await (const { key, value } of store.list('')) seen.push(key, Buffer.from(value).toString())
    expect(seen.length).toBeGreaterThan(8)
    expect(seen.join(' ')).not.toMatch(/anna|order-7|session 5/)
  })

  test('is written when its session ends, if it is listed for longer than its result', () => {
    const history = createSessionHistory(createMemoryStore(), keyRing, () => start)
    const ended = recordOf(5)
    expect(history.writes(undefined, { ...ended, outcome: null })).toEqual([])
    expect(history.writes(ended, ended)).toEqual([])
    const { history: _days, ...settings } = ended.settings
    expect(history.writes(undefined, { ...ended, settings })).toEqual([])
    expect(history.writes({ ...ended, outcome: null }, ended)).not.toEqual([])
  })

  test('leaves nothing at its former position when it changes', async () => {
    const store = createMemoryStore()
    const history = createSessionHistory(store, keyRing, () => start)
    const before = recordOf(15, { created: start })
    await store.commit(history.writes(undefined, before), [])
    await store.commit(history.writes(before, { ...before, review: reviewed }), [])
    const keys: string[] = []
    for await (const { key } of store.list('session-past/')) keys.push(key)
    const names = keys.filter((key) => !key.includes('/r/')).map((key) => key.split('.').at(-1))
    expect(new Set(names).size).toBe(1)
    await history.forget('account', 'person 0')
    for await (const { key } of store.list('session-past/')) expect(key).toBe('none')
  })

  test('has a class that follows from its text', () => {
    for (const record of records) {
      const one = classOf(rowOf(record), 30)
      expect(classFrom(classText(one))).toEqual(one)
    }
  })
})

describe('the note of a review', () => {
  const note = 'Limps, and was nervous.'
  const noted = recordOf(1, { review: { ...reviewed, note } })
  const digest = digestOfSession(noted.sessionId)

  test('is not written to the row that outlives its session', async () => {
    const opened: string[] = []
    const watching = {
      ...keyRing,
      seal: (...given: Parameters<typeof keyRing.seal>) => {
        opened.push(Buffer.from(given[2]).toString())
        return keyRing.seal(...given)
      },
    }
    const store = createMemoryStore(() => start)
    const history = createSessionHistory(store, watching, () => start)
    await store.commit(history.writes(undefined, noted), [])
    expect(opened.join()).toContain(reviewed.reviewedAt)
    expect(opened.join()).not.toContain(note)
  })

  test('is not shown from a row that an earlier version wrote with it', async () => {
    const store = createMemoryStore(() => start)
    const history = createSessionHistory(store, keyRing, () => start)
    await store.commit(history.writes(undefined, noted), [])
    const [key] = (await keysOf(store)).filter((one) => one.startsWith('session-past/account/r/'))
    const former = { ...rowOf(noted), days: 400 }
    expect(former.review).toMatchObject({ note })
    const sealed = keyRing.seal('session-past', key!, Buffer.from(JSON.stringify(former)))
    await store.put(key!, Buffer.from(sealed), 3600)
    expect(await history.read('account', digest)).toEqual({ ...former, review: reviewed })
  })
})

async function keysOf(store: Store): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list('')) keys.push(key)
  return keys
}

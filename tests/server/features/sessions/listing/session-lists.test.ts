import { describe, expect, test } from 'vitest'
import { createSessionLists } from '#server/features/sessions/listing/session-lists.ts'
import { createSessionHistory } from '#server/features/sessions/records/session-history.ts'
import { digestOfSession, type SessionRow } from '#server/features/sessions/records/session-row.ts'
import { createSessionRows } from '#server/features/sessions/records/session-rows.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { describeOnSharedStores } from '../../../../support/stores.ts'

const keyRing = createKeyRing(Buffer.alloc(32, 7), 'EU')
const start = 1_800_000_000_000
const created = {
  state: 'Created',
  result: null,
  reasons: null,
  outcome: 'open',
  review: null,
  doubt: 0,
  came: 0,
  assignedTo: null,
} as const

function rowOf(number: number, more: Partial<SessionRow> = {}): SessionRow {
  return {
    sessionId: `session ${number}`,
    verificationId: null,
    kioskId: null,
    externalId: number % 3 === 0 ? 'anna' : null,
    correlationId: null,
    source: 'api',
    state: 'Created',
    result: null,
    reasons: null,
    assurance: null,
    tries: 0,
    findings: null,
    created: start + number,
    completedAt: null,
    review: null,
    ...more,
  }
}

describeOnSharedStores('lists of sessions', (shared) => {
  /** Another process, with its own store, rows and lists. */
  async function open() {
    const store = await shared.open()
    const now = () => start + 1_000_000
    const rows = createSessionRows(store, keyRing)
    const put = (accountId: string, row: SessionRow, was: Parameters<typeof rows.note>[2] = null) =>
      store.commit([rows.write(accountId, row, 600), rows.note(accountId, row.sessionId, was, 600)], [])
    return {
      store,
      rows,
      put,
      lists: createSessionLists(rows, createSessionHistory(store, keyRing, now), now),
    }
  }

  test('show at once what another process committed, and what it erased', async () => {
    const [one, other] = [await open(), await open()]
    const count = async () => (await other.lists.page('at once', {}, 100, undefined)).sessions.length
    expect(await count()).toBe(0)
    for (let i = 1; i <= 20; i++) {
      await one.put('at once', rowOf(i))
      expect(await count()).toBe(i)
    }
    const erased = [one.rows.remove('at once', 'session 7'), one.rows.note('at once', 'session 7', null, 600)]
    await one.store.commit(erased, [])
    expect(await count()).toBe(19)
  })

  test('are paged across processes while sessions arrive and change: nothing twice, nothing missing', async () => {
    const processes = [await open(), await open(), await open()]
    for (let i = 1; i <= 300; i++) await processes[0]!.put('walk', rowOf(i))
    const fitting = Array.from({ length: 100 }, (_, i) => digestOfSession(`session ${3 * (100 - i)}`))
    const filters = { externalId: 'anna', state: 'Created' } as const
    const seen: string[] = []
    let number = 300
    let cursor = undefined as Parameters<(typeof processes)[0]['lists']['page']>[3] | null
    for (let turn = 0; cursor !== null; turn++) {
      const asked = processes[turn % 3]!
      const page = await asked.lists.page('walk', filters, 9, cursor)
      seen.push(...page.sessions.map(({ digest }) => digest))
      cursor = page.next
      const [writer, was] = [processes[(turn + 1) % 3]!, created]
      await Promise.all([
        ...Array.from({ length: 5 }, () => writer.put('walk', rowOf(++number))),
        ...[turn * 20 + 3, turn * 20 + 9].map((one) =>
          writer.put('walk', rowOf(one, { state: 'Expired' }), was),
        ),
      ])
    }
    expect(seen).toEqual(fitting)
  })

  test('keep a match of the first page if it changes between reading the changes and its row', async () => {
    const [writer, asked] = [await open(), await open()]
    const was = created
    const filters = { state: 'Created' } as const
    // The next request already has a list, which lacks the session that was the newest before the first page.
    for (const i of [2, 3]) await writer.put('between', rowOf(i))
    await asked.lists.page('between', filters, 1, undefined)
    await writer.put('between', rowOf(1))
    const first = await writer.lists.page('between', filters, 1, undefined)
    const read = asked.rows.read
    asked.rows.read = async (accountId, digest) => {
      asked.rows.read = read
      await writer.put('between', rowOf(1, { state: 'Expired' }), was)
      return read(accountId, digest)
    }
    const rest = await asked.lists.page('between', filters, 9, first.next!)
    expect(rest.sessions.map(({ digest }) => digest)).toEqual(
      [2, 1].map((n) => digestOfSession(`session ${n}`)),
    )
    const anew = await asked.lists.page('between', filters, 9, undefined)
    expect(anew.sessions.map(({ digest }) => digest)).toEqual(
      [3, 2].map((n) => digestOfSession(`session ${n}`)),
    )
  })
})

describe('rows of sessions', () => {
  test('name no person in the store', async () => {
    const { createMemoryStore } = await import('#server/platform/store/drivers/memory.ts')
    const store = createMemoryStore()
    const rows = createSessionRows(store, keyRing)
    const row = rowOf(3, { correlationId: 'order-7' })
    await store.commit([rows.write('a', row, 60), rows.note('a', row.sessionId, null, 60)], [])
    for await (const { key, value } of store.list('')) {
      const text = key + Buffer.from(value).toString()
      for (const word of ['anna', 'order-7', 'session 3']) expect(text).not.toContain(word)
    }
    expect(await rows.read('a', digestOfSession('session 3'))).toEqual(row)
  })
})

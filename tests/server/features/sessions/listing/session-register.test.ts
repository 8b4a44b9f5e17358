import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Filters } from '#server/features/sessions/listing/session-entry.ts'
import { type ListCursor, SessionRegister } from '#server/features/sessions/listing/session-register.ts'
import { doubtOf } from '#server/features/sessions/records/doubt.ts'
import {
  digestOfSession,
  type SessionRow,
  standingOf,
} from '#server/features/sessions/records/session-row.ts'

const rowOf = (sessionId: string, created: number, more: Partial<SessionRow> = {}): SessionRow => ({
  sessionId,
  verificationId: null,
  kioskId: null,
  externalId: null,
  correlationId: null,
  source: 'api',
  state: 'Created',
  result: null,
  reasons: null,
  assurance: null,
  tries: 0,
  findings: null,
  created,
  completedAt: null,
  review: null,
  ...more,
})

const open = {
  state: 'Created',
  result: null,
  reasons: null,
  outcome: 'open',
  review: null,
  doubt: 0,
  came: 0,
  assignedTo: null,
} as const

function find(
  index: SessionRegister,
  filters: Filters,
  most: number,
  cursor: ListCursor | undefined,
  notBefore: number,
) {
  return index.find({ filters, cursor, asOf: cursor?.asOf ?? index.changedUpTo, notBefore, most })
}

const digestsIn = async (...asked: Parameters<typeof find>) =>
  (await find(...asked)).map(({ digest }) => digest)

async function walk(
  index: SessionRegister,
  filters: Filters,
  limit: number,
  between: () => void = () => undefined,
) {
  const seen: string[] = []
  const asOf = index.changedUpTo
  for (let cursor: ListCursor | null | undefined; cursor !== null; ) {
    const found = await find(index, filters, limit, cursor, 0)
    expect(found.length).toBeLessThanOrEqual(limit)
    seen.push(...found.map(({ digest }) => digest))
    cursor = found.length < limit ? null : { ...found.at(-1)!, asOf }
    between()
  }
  return seen
}

const rows = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 999 }),
    created: fc.integer({ min: 1, max: 20 }),
    state: fc.constantFrom('Created' as const, 'Completed' as const),
    person: fc.constantFrom(null, 'a', 'b'),
  }),
  { selector: ({ id }) => id, maxLength: 60 },
)

/** The rows of `count` sessions, in mixed order. */
async function* shuffled(count: number) {
  for (let i = 0; i < count; i++) {
    const number = ((i * 7919) % count) + 1
    yield rowOf(String(number), number)
  }
}

describe('the list in memory', () => {
  test('contains exactly the matches, newest first, for any pages, even if many arrived at once', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (made, limit) => {
        const index = new SessionRegister()
        for (const { id, created, state, person } of made)
          index.put(rowOf(String(id), created, { state, externalId: person }))
        const fitting = made.filter(({ state, person }) => state === 'Created' && person === 'a')
        const keyed = fitting.map(({ id, created }) => ({ created, digest: digestOfSession(String(id)) }))
        keyed.sort((a, b) => b.created - a.created || (a.digest < b.digest ? 1 : -1))
        const seen = await walk(index, { state: 'Created', externalId: 'a' }, limit)
        expect(seen).toEqual(keyed.map(({ digest }) => digest))
      }),
    )
  })

  test('pages contain nothing twice and omit nothing while sessions arrive, change and leave', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 5 }), async (made, limit) => {
        const index = new SessionRegister()
        for (const { id, created, state } of made) index.put(rowOf(String(id), created, { state }))
        const first = made
          .filter(({ state }) => state === 'Created')
          .map(({ id }) => digestOfSession(String(id)))
        let turn = 0
        const seen = await walk(index, { state: 'Created' }, limit, () => {
          const changed = made[turn++ % Math.max(1, made.length)]
          const number = ++index.changedUpTo
          index.put(rowOf(`new ${turn}`, 100 + turn))
          if (changed === undefined) return
          const digest = digestOfSession(String(changed.id))
          index.remember({ number, digest, was: { ...open, state: changed.state } })
          const state = changed.state === 'Created' ? 'Completed' : 'Created'
          index.put(rowOf(String(changed.id), changed.created, { state }))
          changed.state = state
        })
        expect(new Set(seen).size).toBe(seen.length)
        expect([...seen].sort()).toEqual(first.sort())
      }),
    )
  })

  test('drops old and removed entries', async () => {
    const index = new SessionRegister()
    for (let i = 1; i <= 5; i++) index.put(rowOf(String(i), i))
    index.remove(digestOfSession('4'))
    index.remove('unknown')
    index.dropBefore(3)
    expect(await walk(index, {}, 10)).toEqual([digestOfSession('5'), digestOfSession('3')])
    expect(await digestsIn(index, {}, 10, undefined, 5)).toEqual([digestOfSession('5')])
    index.dropBefore(100)
    expect(index.size).toBe(0)
  })

  test('remembers former states within bounds', async () => {
    const index = new SessionRegister()
    index.put(rowOf('1', 1))
    const digest = digestOfSession('1')
    const was = open
    for (let number = 1; number < 120_000; number++)
      index.remember({ number, digest: `${number % 5000}`, was })
    index.remember({ number: 120_000, digest, was })
    index.changedUpTo = 120_000
    index.put(rowOf('1', 1, { state: 'Expired' }))
    const cursor = { created: 2, digest: '', asOf: 119_999 }
    expect(await digestsIn(index, { state: 'Created' }, 1, cursor, 0)).toEqual([digest])
  })

  test('lists an earlier match even if the change was announced before the session was read', async () => {
    const index = new SessionRegister()
    index.remember({ number: 2, digest: digestOfSession('1'), was: open })
    index.put(rowOf('1', 1, { state: 'Completed' }))
    index.changedUpTo = 2
    const cursor = { created: 2, digest: '', asOf: 1 }
    expect(await digestsIn(index, { state: 'Created' }, 1, cursor, 0)).toEqual([digestOfSession('1')])
    expect(await digestsIn(index, { state: 'Created' }, 1, { ...cursor, asOf: 2 }, 0)).toEqual([])
  })

  test('lists the least certain first, newest first among equals, for any pages and during reviews', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (made, limit) => {
        const index = new SessionRegister()
        const review = { decision: 'Pass', note: null, reviewedAt: '', by: '' } as const
        const completed = ({ id, created, state, person }: (typeof made)[number]) =>
          rowOf(String(id), created, {
            state: 'Completed',
            result: 'Fail',
            reasons: [person === 'a' ? 'ageUncertain' : 'livenessFailed'],
            tries: state === 'Created' ? 1 : 2,
          })
        const all = made.map(completed)
        for (const row of all) index.put(row)
        const keyed = all.map((row) => ({
          ...row,
          digest: digestOfSession(row.sessionId),
          doubt: doubtOf(row),
        }))
        keyed.sort((a, b) => b.doubt - a.doubt || b.created - a.created || (a.digest < b.digest ? 1 : -1))
        const seen = await walk(index, { review: 'waiting', order: 'leastCertain' }, limit, () => {
          const row = all.pop()
          if (row === undefined) return
          const number = ++index.changedUpTo
          index.remember({ number, digest: digestOfSession(row.sessionId), was: standingOf(row) })
          index.put({ ...row, review })
        })
        expect(seen).toEqual(keyed.map(({ digest }) => digest))
      }),
    )
  })

  test('finds one session by its id, with the other filters', async () => {
    const index = new SessionRegister()
    for (let i = 1; i <= 5; i++) index.put(rowOf(String(i), i))
    const id = { verificationSessionId: '3' }
    expect(await walk(index, id, 1)).toEqual([digestOfSession('3')])
    expect(await walk(index, { ...id, order: 'leastCertain' }, 1)).toEqual([digestOfSession('3')])
    expect(await walk(index, { ...id, state: 'Expired' }, 1)).toEqual([])
    expect(await walk(index, { verificationSessionId: '9' }, 1)).toEqual([])
    expect(await digestsIn(index, id, 1, { created: 3, digest: digestOfSession('3'), asOf: 0 }, 0)).toEqual(
      [],
    )
    expect(await digestsIn(index, id, 1, undefined, 4)).toEqual([])
  })

  test('yields in a long walk and continues from its last entry, whatever came and went meanwhile', async () => {
    let pauses = 0
    const index = new SessionRegister({
      isOver: () => true,
      async next() {
        pauses++
        index.put(rowOf(`new ${pauses}`, 5000 + pauses))
        // The walk has just reached these, or is about to.
        for (const created of [1000 - 256 * pauses, 1001 - 256 * pauses, 999 - 256 * pauses])
          index.remove(digestOfSession(String(created)))
        index.dropBefore(2 * pauses)
      },
    })
    await index.fill(shuffled(1000))
    expect(index.size).toBe(1000)
    pauses = 0
    const seen = await digestsIn(index, { kioskId: 'k' }, 10, undefined, 0)
    expect([seen, pauses]).toEqual([[], 3])
    const left = Array.from({ length: 1000 }, (_, i) => 1000 - i)
      .map(String)
      .map(digestOfSession)
    const all = await digestsIn(index, {}, 2000, { created: 1001, digest: '', asOf: 0 }, 0)
    expect(new Set(all).size).toBe(all.length)
    expect(left.filter((digest) => all.includes(digest))).toEqual(all)
    expect(all.length).toBeGreaterThan(970)
  })

  test('accepts notes from before it contained reviews', async () => {
    const index = new SessionRegister()
    index.put(rowOf('1', 1))
    const digest = digestOfSession('1')
    index.remember({ number: 1, digest, was: { state: 'Started', result: null, reasons: null } as never })
    index.changedUpTo = 1
    const place = { created: 2, digest: '', asOf: 0, doubt: 10 }
    expect(await digestsIn(index, { state: 'Started', order: 'leastCertain' }, 1, place, 0)).toEqual([digest])
  })
})

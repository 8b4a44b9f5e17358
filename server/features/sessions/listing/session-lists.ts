import type { SessionHistory } from '#server/features/sessions/records/session-history.ts'
import { retentionInMilliseconds } from '#server/features/sessions/records/session-record.ts'
import type { SessionRows } from '#server/features/sessions/records/session-rows.ts'
import { getOrCreate } from '#server/platform/store/get-or-create.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { createKeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { findPast } from './find-past.ts'
import type { Filters } from './session-entry.ts'
import { type ListCursor, type ListMatch, SessionRegister } from './session-register.ts'

/** How many accounts' lists stay in memory. */
const mostAccounts = 50
/** How many earlier changes are also read, for pages that another process began. */
const lookedBack = 5000
const readAtOnce = 200

export interface ListPage {
  readonly sessions: readonly PageRow[]
  /** Null on the last page. */
  readonly next: ListCursor | null
}

/** How many sessions match, and when the oldest was created, in milliseconds since 1970. */
export interface Tally {
  readonly count: number
  readonly oldest: number | null
}

interface PageRow {
  readonly digest: string
  /** True if the session is older than its results, so that its row belongs to the history. */
  readonly isPast: boolean
}

export interface SessionLists {
  page(accountId: string, filters: Filters, limit: number, cursor: ListCursor | undefined): Promise<ListPage>
  /** Counts the matches among sessions that still have a result, and says when the oldest was created. */
  tally(accountId: string, filters: Filters): Promise<Tally>
}

/**
 * The accounts' session lists. Sessions with a result are in memory: they are loaded on first use and kept up to date from
 * the change log. Older ones are looked up in the history, where rows can only disappear.
 */
export function createSessionLists(
  rows: SessionRows,
  history: Pick<SessionHistory, 'classes' | 'entries' | 'read'>,
  now: Clock,
): SessionLists {
  const current = createRegisters(rows, now)

  return {
    async page(accountId, filters, limit, cursor) {
      const index = await current(accountId)
      const notBefore = now() - retentionInMilliseconds
      const isByDoubt = filters.order === 'leastCertain'
      const asOf = cursor?.asOf ?? index.changedUpTo
      const seek = { filters, cursor, asOf, notBefore, most: limit + 1 }
      const recent = await index.find(seek)
      const most = isByDoubt ? seek.most : seek.most - recent.length
      const found = [...recent, ...(await findPast(history, accountId, { ...seek, most }))]
      // Equally doubtful sessions are already in order, newest first.
      if (isByDoubt) found.sort((a, b) => b.doubt - a.doubt)
      return pageOf(found, { limit, asOf, isByDoubt, notBefore })
    },
    async tally(accountId, filters) {
      const index = await current(accountId)
      const notBefore = now() - retentionInMilliseconds
      return index.tally({ filters, cursor: undefined, asOf: index.changedUpTo, notBefore, most: 0 })
    },
  }
}

/** The accounts' registers, brought up to date. Concurrent requests for the same register share one load. */
function createRegisters(rows: SessionRows, now: Clock): (accountId: string) => Promise<SessionRegister> {
  const indexes = new Map<string, SessionRegister>()
  const mutex = createKeyedMutex()

  return (accountId) =>
    mutex.runExclusive(accountId, async () => {
      const known = indexes.get(accountId) ?? (await load(rows, accountId))
      const index = getOrCreate(indexes, mostAccounts, accountId, () => known)
      await catchUp(rows, accountId, index)
      index.dropBefore(now() - retentionInMilliseconds)
      return index
    })
}

async function load(rows: SessionRows, accountId: string): Promise<SessionRegister> {
  const index = new SessionRegister()
  const last = await rows.lastChange(accountId)
  await index.fill(rows.all(accountId))
  const from = Math.max(0, last - lookedBack)
  for await (const change of rows.changesAfter(accountId, from)) {
    if (change.number > last) break
    index.remember(change)
  }
  index.changedUpTo = last
  return index
}

/** [Note: Seen as soon as it is committed] The answer includes everything that any process committed before the request. */
async function catchUp(rows: SessionRows, accountId: string, index: SessionRegister): Promise<void> {
  const refreshed = new Set<string>()
  let waiting: Promise<void>[] = []
  for await (const change of rows.changesAfter(accountId, index.changedUpTo)) {
    index.remember(change)
    index.changedUpTo = change.number
    refreshed.add(change.digest)
    waiting.push(refresh(rows, accountId, index, change.digest))
    if (waiting.length < readAtOnce) continue
    await Promise.all(waiting)
    waiting = []
  }
  await Promise.all(waiting)
  if (refreshed.size === 0) return
  // A row may be newer than the changes read after it, so its previous state is remembered too.
  for await (const change of rows.changesAfter(accountId, index.changedUpTo)) {
    if (refreshed.has(change.digest)) index.remember(change)
  }
}

async function refresh(
  rows: SessionRows,
  accountId: string,
  index: SessionRegister,
  digest: string,
): Promise<void> {
  const row = await rows.read(accountId, digest)
  if (row === undefined) index.remove(digest)
  else index.put(row)
}

interface PageBounds {
  readonly limit: number
  readonly asOf: number
  readonly isByDoubt: boolean
  readonly notBefore: number
}

/** Builds a page's rows from the matches, which include one extra match if another page follows. */
function pageOf(found: readonly ListMatch[], { limit, asOf, isByDoubt, notBefore }: PageBounds): ListPage {
  const shown = found.slice(0, limit)
  const sessions = shown.map(({ digest, created }) => ({ digest, isPast: created < notBefore }))
  const last = shown.at(-1)
  if (found.length <= limit || last === undefined) return { sessions, next: null }
  const { created, digest, doubt } = last
  return { sessions, next: { created, digest, asOf, ...(isByDoubt && { doubt }) } }
}

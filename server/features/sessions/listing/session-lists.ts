import { retentionInMilliseconds } from '#server/features/sessions/record.ts'
import { getOrCreate } from '#server/platform/store/get-or-create.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { createKeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { type Cursor, type Filters, type Page, SessionRegister } from './session-register.ts'
import type { SessionRows } from './session-rows.ts'

/** Accounts whose lists stay in memory. */
const mostAccounts = 50
/** Changes before the list was loaded that are read all the same, for pages that another process began. */
const lookedBack = 5000
const readAtOnce = 200

export interface SessionLists {
  page(accountId: string, filters: Filters, limit: number, cursor: Cursor | undefined): Promise<Page>
}

/** The lists of accounts: loaded when they are first asked for, and from then on brought up to date by the log of changes. */
export function createSessionLists(rows: SessionRows, now: Clock): SessionLists {
  const indexes = new Map<string, SessionRegister>()
  const mutex = createKeyedMutex()

  async function load(accountId: string): Promise<SessionRegister> {
    const index = new SessionRegister()
    const last = await rows.lastChange(accountId)
    const loaded = []
    for await (const row of rows.all(accountId)) loaded.push(row)
    loaded.sort((a, b) => a.created - b.created)
    for (const row of loaded) index.put(row)
    const from = Math.max(0, last - lookedBack)
    for await (const change of rows.changesAfter(accountId, from)) {
      if (change.number > last) break
      index.remember(change)
    }
    index.changedUpTo = last
    return index
  }

  /** [Note: Seen as soon as it is committed] Whatever any process committed before the question is in the answer. */
  async function catchUp(accountId: string, index: SessionRegister): Promise<void> {
    let waiting: Promise<void>[] = []
    for await (const change of rows.changesAfter(accountId, index.changedUpTo)) {
      index.remember(change)
      index.changedUpTo = change.number
      waiting.push(refresh(accountId, index, change.digest))
      if (waiting.length < readAtOnce) continue
      await Promise.all(waiting)
      waiting = []
    }
    await Promise.all(waiting)
    index.dropBefore(now() - retentionInMilliseconds)
  }

  async function refresh(accountId: string, index: SessionRegister, digest: string): Promise<void> {
    const row = await rows.read(accountId, digest)
    if (row === undefined) index.remove(digest)
    else index.put(row)
  }

  return {
    page: (accountId, filters, limit, cursor) =>
      mutex.runExclusive(accountId, async () => {
        const known = indexes.get(accountId) ?? (await load(accountId))
        const index = getOrCreate(indexes, mostAccounts, accountId, () => known)
        await catchUp(accountId, index)
        return index.page(filters, limit, cursor, now() - retentionInMilliseconds)
      }),
  }
}

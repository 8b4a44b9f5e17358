import { chmodSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { createLmdbBatches, type LmdbBatches } from '#server/platform/store/batches/lmdb-batches.ts'
import { countBytes, counterOf, countOf, numberedKey } from '#server/platform/store/counts.ts'
import { sameBytes } from '#server/platform/store/same-bytes.ts'
import {
  type Addition,
  type Clock,
  type Entry,
  type Guard,
  type Put,
  type Snapshot,
  type SnapshotEntry,
  type Store,
  StoreLost,
  singleWrites,
  type Write,
  WriteFailed,
} from '#server/platform/store/store.ts'
import { refuseDamage } from './lmdb-damage.ts'
import { headerBytes, unwrap, unwrapShown } from './lmdb-header.ts'

const listedAtOnce = 100
const sweptAtOnce = 100
const afterEveryKey = '\uffff'

interface Tables {
  root: RootDatabase<Buffer, string>
  /** Maps a key to an 8-byte header (the expiry in milliseconds, 0 for none) followed by the value. */
  entries: Database<Buffer, string>
  /** The same entries, read many at a time. */
  batches: LmdbBatches
  /**
   * Keys made of expiry and entry key, without values, in the order in which the sweep visits them. A rewritten entry leaves
   * its old line behind, so the sweep checks each line.
   */
  expiries: Database<Buffer, [number, string]>
  /** True if no message can have reached this process since its read snapshot was taken. */
  isCurrent: boolean
}

export interface LmdbStore extends Store {
  snapshot(): Snapshot
}

/**
 * The embedded store: one LMDB environment in a folder that only its owner can read. Several processes may share it.
 *
 * [Note: A read sees what was acknowledged before it] The library uses one snapshot for all reads within about a
 * millisecond, which may miss a commit that another process has already acknowledged. So reads share a snapshot only
 * while no message can have reached this process in between.
 */
export function openLmdbStore(folder: string, now: Clock = Date.now): LmdbStore {
  const { tables, close } = shareTables(folder)
  /** The returned bytes are in the library's memory, and valid until the next read. */
  const read = (key: string) => {
    try {
      const found = unwrap(tables.entries.getBinaryFast(key), now)
      return found && Buffer.from(found)
    } catch (error) {
      throw lossIn(error) ?? error
    }
  }

  const outdate = () => {
    tables.isCurrent = false
  }
  function takeSnapshot(): void {
    tables.root.resetReadTxn()
    tables.isCurrent = true
    process.nextTick(outdate)
  }

  async function commit(writes: readonly Write[], guards: readonly Guard[]): Promise<boolean> {
    const isDone = await inTransaction(tables, () => {
      if (!guards.every((guard) => sameBytes(read(guard.key), guard.value))) return false
      for (const write of writes) apply(tables, write, now)
      return true
    })
    outdate()
    return isDone
  }

  return {
    get(key) {
      if (!tables.isCurrent) takeSnapshot()
      return read(key)
    },
    ...singleWrites(commit),
    list: (prefix, after) => listFrom(tables, prefix, after ?? prefix, now),
    batches: (prefix) =>
      tables.batches({ prefix, end: prefix + afterEveryKey }, (stored) => unwrapShown(stored, now)),
    snapshot: () => snapshotOf(tables, now),
    commit,
    sweep: () => sweep(tables, now),
    close,
  }
}

/** The folders that this process has open. */
const openFolders = new Map<string, { readonly tables: Tables; users: number }>()

/**
 * [Note: Opened once by a process] LMDB does not support opening a folder twice in one process: commits occasionally
 * deadlocked. Later openings share the first one, which closes with its last user.
 */
function shareTables(folder: string): { tables: Tables; close: () => Promise<void> } {
  const path = resolve(folder)
  const open = openFolders.get(path) ?? { tables: openTables(path), users: 0 }
  open.users++
  openFolders.set(path, open)
  let isClosed = false
  return {
    tables: open.tables,
    async close() {
      if (isClosed) return
      isClosed = true
      if (--open.users > 0) return
      openFolders.delete(path)
      await open.tables.root.close()
    },
  }
}

/**
 * [Note: Flushed before it is pointed to] A commit's pages are flushed before the page that points to them is written,
 * and that page before the commit is acknowledged. After a power failure at any point, the file therefore has the last
 * commit or the one before. The library's default writes the root page first and flushes both afterwards; it is no faster
 * here. [Note: A failed commit is reported once] With the library's batching per event turn, a failed commit also rejects
 * a promise that no code can handle, which ends the process.
 */
function openTables(folder: string): Tables {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  refuseDamage(join(folder, 'data.mdb'))
  const root = open<Buffer, string>({
    path: folder,
    encoding: 'binary',
    maxDbs: 4,
    overlappingSync: false,
    eventTurnBatching: false,
  })
  keepToOwner(folder)
  return {
    root,
    entries: root.openDB<Buffer, string>({ name: 'entries', encoding: 'binary' }),
    batches: createLmdbBatches(
      // The library's types declare custom encoders only for a root.
      (encoder) => root.openDB<undefined, string>(Object.assign({ name: 'entries' }, { encoder })),
      () => root.resetReadTxn(),
    ),
    expiries: root.openDB<Buffer, [number, string]>({ name: 'expiries', encoding: 'binary' }),
    isCurrent: false,
  }
}

/** By default, the library's files are readable by every user. */
function keepToOwner(folder: string): void {
  for (const name of ['data.mdb', 'lock.mdb']) chmodSync(join(folder, name), 0o600)
}

/** [Note: A page that leads to everything] If the root page cannot be written, LMDB refuses every further operation of the process. */
const fatal = 'MDB_PANIC'

function lossIn(error: unknown): StoreLost | undefined {
  const { message } = error as Error
  return message.includes(fatal) ? new StoreLost(message) : undefined
}

/** @throws {WriteFailed} if the commit does not reach the disk, in which case none of it is stored */
async function inTransaction<T>({ root }: Tables, work: () => T): Promise<T> {
  try {
    return await root.transaction(work)
  } catch (error) {
    const { commitError } = error as { commitError?: Promise<never> }
    throw commitError === undefined ? error : new WriteFailed(await reasonOf(commitError))
  }
}

const reasonWithinMilliseconds = 100

/** The library rejects this promise a moment later, with the system's error message. */
function reasonOf(commitError: Promise<never>): Promise<string> {
  const unknown = new Promise<string>((over) => setTimeout(over, reasonWithinMilliseconds, 'unknown').unref())
  return Promise.race([commitError.catch(({ message }: Error) => message.split(':')[0]!), unknown])
}

/** Runs inside a transaction. */
function apply(tables: Tables, write: Write, now: Clock): unknown {
  switch (write.kind) {
    case 'put':
      return put(tables, write, now)
    case 'append': {
      const number = add(tables, { key: counterOf(write.key), more: 1 }, now)
      return put(tables, { ...write, key: numberedKey(write.key, number) }, now)
    }
    case 'add':
      return add(tables, write, now)
    case 'remove':
      return tables.entries.remove(write.key)
    default:
      return write satisfies never
  }
}

/** Returns the new count. */
function add(tables: Tables, { more, ...place }: Omit<Addition, 'kind'>, now: Clock): number {
  const count = countOf(unwrap(tables.entries.get(place.key), now)) + more
  put(tables, { ...place, value: countBytes(count) }, now)
  return count
}

function put(tables: Tables, { key, value, expiresInSeconds }: Omit<Put, 'kind'>, now: Clock): void {
  const expiresAt = expiresInSeconds === undefined ? 0 : Math.ceil(now() + expiresInSeconds * 1000)
  const header = Buffer.alloc(headerBytes)
  header.writeDoubleBE(expiresAt)
  tables.entries.put(key, Buffer.concat([header, value]))
  if (expiresAt !== 0) tables.expiries.put([expiresAt, key], Buffer.alloc(1))
}

/**
 * [Note: A list goes on from its last key] A cursor loses its position if entries are removed during the read, and an old
 * snapshot would prevent the store from reusing pages. So entries are read in small batches.
 */
async function* listFrom(tables: Tables, prefix: string, after: string, now: Clock): AsyncGenerator<Entry> {
  let batch = batchOf(tables, prefix, after < prefix ? prefix : after, now)
  for (;;) {
    for (const { key, value, expiresAt } of batch) if (value !== undefined) yield { key, value, expiresAt }
    const last = batch.at(-1)
    if (last === undefined || batch.length < listedAtOnce) return
    batch = batchOf(tables, prefix, last.key, now)
  }
}

/** Reads everything in one transaction. Until it ends, changes by other processes may make the file grow. */
function snapshotOf(tables: Tables, now: Clock): Snapshot {
  const takenAt = now()
  tables.root.resetReadTxn()
  const transaction = tables.root.useReadTransaction()
  async function* entries(): AsyncGenerator<SnapshotEntry> {
    try {
      for (const { key, value } of tables.entries.getRange({ transaction })) {
        const kept = unwrap(value, now)
        const expiresAt = value.readDoubleBE() || undefined
        if (kept !== undefined) yield { key, value: kept, expiresAt }
      }
    } finally {
      transaction.done()
    }
  }
  return { entries: entries(), takenAt: () => takenAt }
}

/** The entries after a key, including expired ones. */
function batchOf(tables: Tables, prefix: string, after: string, now: Clock) {
  tables.root.resetReadTxn()
  const range = tables.entries.getRange({
    start: after,
    exclusiveStart: after !== prefix,
    end: prefix + afterEveryKey,
    limit: listedAtOnce,
  })
  return [
    ...range.map(({ key, value }) => ({
      key,
      value: unwrap(value, now),
      expiresAt: value.readDoubleBE() || undefined,
    })),
  ]
}

/** [Note: A sweep is many commits] One commit to erase everything that expired overnight would block the event loop for too long. */
async function sweep(tables: Tables, now: Clock): Promise<number> {
  let erased = 0
  for (let full = true; full; ) {
    tables.root.resetReadTxn()
    const due = [...tables.expiries.getKeys({ end: [now(), afterEveryKey], limit: sweptAtOnce })]
    full = due.length === sweptAtOnce
    if (due.length > 0) erased += await sweepDue(tables, due, now)
  }
  return erased
}

function sweepDue(tables: Tables, due: readonly [number, string][], now: Clock): Promise<number> {
  return inTransaction(tables, () => {
    let erased = 0
    for (const line of due) {
      const entry = tables.entries.get(line[1])
      if (entry !== undefined && unwrap(entry, now) === undefined) {
        tables.entries.remove(line[1])
        erased++
      }
      tables.expiries.remove(line)
    }
    return erased
  })
}

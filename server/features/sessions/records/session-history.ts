import { createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { inBatches } from '#server/platform/running/in-batches.ts'
import { countOf } from '#server/platform/store/counts.ts'
import {
  type Clock,
  inPassing,
  putOf,
  removalOf,
  type Store,
  type Write,
} from '#server/platform/store/store.ts'
import {
  classFrom,
  classNameOf,
  classOf,
  classText,
  entryFrom,
  entryText,
  type PastEntry,
  type SessionClass,
} from './history-keys.ts'
import type { SessionRecord } from './session-record.ts'
import { digestOfSession, rowOf, type SessionRow } from './session-row.ts'

/** A row that outlives its session. */
export interface PastRow extends SessionRow {
  /** The number of days since its creation. */
  readonly days: number
}

/** A class and how many rows were ever written for it. */
export interface CountedClass extends SessionClass {
  readonly count: number
}

/** The names that have an index: a person, a correlation ID or a kiosk. */
export type IndexedName = 'externalId' | 'correlationId' | 'kioskId'
export const indexedNames: readonly IndexedName[] = ['correlationId', 'externalId', 'kioskId']

/** The index to read: all rows, one class's rows, or one name's rows. */
export type IndexName =
  | 'all'
  | { readonly className: string }
  | { readonly naming: IndexedName; readonly text: string }

/**
 * The rows of sessions that stay in lists for longer than their results are stored, if a verification asks for this.
 * [Note: History is found by its keys] When a session ends, its row is written once itself and once in each index, with keys
 * in list order. A page reads only the rows that it shows, however many exist, and no process keeps any of them in
 * memory. [Note: Names in keys are keyed digests] Persons, correlations and kiosks appear in keys only as digests, because
 * keys are not encrypted.
 */
export interface SessionHistory {
  /** The writes for a commit that changes a session; empty if it has not ended, or stays listed only as long as its result. */
  writes(before: SessionRecord | undefined, after: SessionRecord): Write[]
  read(accountId: string, digest: string): Promise<PastRow | undefined>
  /** An index's entries in list order, after a given place. */
  entries(accountId: string, index: IndexName, after: string): AsyncGenerator<PastEntry>
  /** All of an account's classes, by short name. */
  classes(accountId: string): Promise<Map<string, CountedClass>>
  /** All accounts' classes. */
  allClasses(): AsyncIterable<{
    readonly accountId: string
    readonly className: string
    readonly class: SessionClass
  }>
  /** The writes that remove these rows completely. */
  removals(accountId: string, entries: readonly PastEntry[]): Promise<Write[]>
  /** A person's rows, newest first. */
  ofPerson(accountId: string, externalId: string): AsyncIterable<PastRow>
  /** Erases a person's rows. */
  forget(accountId: string, externalId: string): Promise<void>
}

const day = 24 * 3600
/** A class is kept longer than any of its rows. */
const classKeptInSeconds = 2 * 400 * day
const present = Buffer.from('1')
const erasedAtOnce = 100
const classPrefix = 'session-class/'

export function createSessionHistory(store: Store, keyRing: KeyRing, now: Clock): SessionHistory {
  const { rowKey, keysOf, prefixOf } = createHistoryKeys(keyRing)

  async function read(accountId: string, digest: string): Promise<PastRow | undefined> {
    const key = rowKey(accountId, digest)
    const value = await store.get(key)
    return value && rowFrom(keyRing, key, value)
  }

  async function* entries(accountId: string, index: IndexName, after: string): AsyncGenerator<PastEntry> {
    const prefix = prefixOf(accountId, index)
    for await (const { key } of store.list(prefix, after === '' ? undefined : prefix + after))
      yield entryFrom(key.slice(prefix.length))
  }

  const rowsOf = async (accountId: string, found: readonly PastEntry[]): Promise<PastRow[]> =>
    (await Promise.all(found.map(({ digest }) => read(accountId, digest)))).filter((row) => row !== undefined)

  function removalsOf(accountId: string, rows: readonly PastRow[]): Write[] {
    return rows.flatMap((row) => keysOf(accountId, row).map(removalOf))
  }

  return {
    ...createClasses(store),
    read,
    entries,
    removals: async (accountId, found) => removalsOf(accountId, await rowsOf(accountId, found)),
    writes(before, after) {
      const row = pastRowOf(after)
      if (row === undefined) return []
      const { accountId } = after
      const former = before && pastRowOf(before)
      if (isDeepStrictEqual(former, row)) return []
      const [key, ...indices] = keysOf(accountId, row)
      const left = Math.max(1, (row.created - now()) / 1000 + row.days * day)
      const sealed = keyRing.seal('session-past', key!, Buffer.from(JSON.stringify(row)))
      const formerIndices = former === undefined ? [] : formerKeys(keysOf, accountId, former)
      const gone = formerIndices.filter((one) => !indices.includes(one))
      return [
        ...gone.map((one) => inPassing(removalOf(one))),
        putOf(key!, Buffer.from(sealed), left),
        ...indices.map((one) => putOf(one, present, left)),
        countedClass(accountId, row),
      ]
    },
    async *ofPerson(accountId, externalId) {
      for await (const { digest } of entries(accountId, { naming: 'externalId', text: externalId }, '')) {
        const row = await read(accountId, digest)
        if (row !== undefined) yield row
      }
    },
    async forget(accountId, externalId) {
      const person = { naming: 'externalId', text: externalId } as const
      for await (const some of inBatches(entries(accountId, person, ''), erasedAtOnce))
        await store.commit(removalsOf(accountId, await rowsOf(accountId, some)), [])
    },
  }
}

/** [Note: Also under its earlier outcome] An earlier release may have written the row, without naming its outcome. */
function formerKeys(
  keysOf: (accountId: string, row: PastRow) => string[],
  accountId: string,
  row: PastRow,
): string[] {
  const { outcome: _, ...unnamed } = row
  return [...new Set([row, unnamed].flatMap((one) => keysOf(accountId, one).slice(1)))]
}

/** Reads and writes the classes that exist. */
function createClasses(store: Store): Pick<SessionHistory, 'classes' | 'allClasses'> {
  return {
    async classes(accountId) {
      const prefix = `${classPrefix}${accountId}/`
      const found = new Map<string, CountedClass>()
      for await (const { key, value } of store.list(prefix)) {
        const text = key.slice(prefix.length)
        found.set(classNameOf(text), { ...classFrom(text), count: countOf(value) })
      }
      return found
    },
    async *allClasses() {
      for await (const { key } of store.list(classPrefix)) {
        const [accountId, ...rest] = key.slice(classPrefix.length).split('/')
        const text = rest.join('/')
        yield { accountId: accountId!, className: classNameOf(text), class: classFrom(text) }
      }
    },
  }
}

/** The row that a session leaves behind; undefined if it leaves none. */
function pastRowOf(record: SessionRecord): PastRow | undefined {
  const days = record.settings.history?.days
  return record.outcome === null || days === undefined ? undefined : withoutNote({ ...rowOf(record), days })
}

function rowFrom(keyRing: KeyRing, key: string, value: Uint8Array): PastRow {
  const text = keyRing.open('session-past', key, Buffer.from(value).toString()).toString()
  return withoutNote(JSON.parse(text) as PastRow)
}

/**
 * [Note: A note goes with its session] A reviewer's note is free text about a person. Rows from earlier versions may still
 * contain one, but it is never shown.
 */
function withoutNote(row: PastRow): PastRow {
  return row.review === null ? row : { ...row, review: { ...row.review, note: null } }
}

function countedClass(accountId: string, row: PastRow): Write {
  return {
    kind: 'add',
    key: `${classPrefix}${accountId}/${classText(classOf(row, row.days))}`,
    more: 1,
    expiresInSeconds: classKeptInSeconds,
  }
}

/** Creates the keys of a row and its index entries. */
function createHistoryKeys(keyRing: KeyRing) {
  const secret = keyRing.derive('session-history')
  const root = (accountId: string) => `session-past/${accountId}/`
  const rowKey = (accountId: string, digest: string) => `${root(accountId)}r/${digest}`

  function prefixOf(accountId: string, index: IndexName): string {
    if (index === 'all') return `${root(accountId)}t/`
    if ('className' in index) return `${root(accountId)}c/${index.className}/`
    const { naming, text } = index
    const named = createHmac('sha256', secret).update(`${accountId}/${naming}/${text}`).digest('base64url')
    return `${root(accountId)}w/${named.slice(0, 22)}/`
  }

  return {
    rowKey,
    prefixOf,
    /** The row's own key comes first. */
    keysOf(accountId: string, row: PastRow): string[] {
      const className = classNameOf(classText(classOf(row, row.days)))
      const named = indexedNames.flatMap((naming): IndexName[] => {
        const text = row[naming]
        return text === null ? [] : [{ naming, text }]
      })
      const indices: IndexName[] = ['all', { className }, ...named]
      const entry = entryText(row, className)
      return [
        rowKey(accountId, digestOfSession(row.sessionId)),
        ...indices.map((index) => prefixOf(accountId, index) + entry),
      ]
    },
  }
}

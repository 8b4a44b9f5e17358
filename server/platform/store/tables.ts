import { hash } from 'node:crypto'
import { batchesOf } from './batches/batches.ts'
import { type Codec, jsonCodec } from './codec.ts'
import { getOrCreate } from './get-or-create.ts'
import type { RecordKind } from './records/record-kinds.ts'
import { sameBytes } from './same-bytes.ts'
import {
  type Batch,
  type Entry,
  type Guard,
  type Put,
  putOf,
  removalOf,
  type Store,
  type Write,
} from './store.ts'

/** A record as it was read, with a guard that holds as long as it is unchanged. */
export interface GuardedRecord<T> {
  readonly value: T
  readonly guard: Guard
}

/** A typed view of the store: one kind of record, each with an owner and an ID. */
export interface Table<T> {
  get(owner: string, id: string): Promise<T | undefined>
  read(owner: string, id: string): Promise<GuardedRecord<T> | undefined>
  put(owner: string, id: string, value: T, expiresInSeconds?: number): Promise<void>
  insert(owner: string, id: string, value: T, expiresInSeconds?: number): Promise<boolean>
  remove(owner: string, id: string): Promise<void>
  /** In no particular order; only records that come after `afterId`, if given. */
  list(owner: string, afterId?: string): AsyncIterable<T>
  /** Like `list`, but skips unreadable records and reports each one to the store. For work that must continue regardless. */
  listReadable(owner: string): AsyncIterable<T>
  /** The stored bytes, many records at a time, for callers that decode them elsewhere. */
  batches(owner: string): AsyncIterable<Batch>
  /** For a commit that contains several records. */
  write(owner: string, id: string, value: T, expiresInSeconds?: number): Put
  write(owner: string, id: string, value: T | undefined, expiresInSeconds?: number): Write
  absent(owner: string, id: string): Guard
}

/** The owner of records that belong to the deployment rather than to an account. */
export const deployment = ''

interface Options<T> {
  /** How records are stored; JSON by default. */
  readonly codec?: Codec<T>
  /**
   * How many records to cache in decoded form, each for as long as the store holds the same bytes. Only for the few records
   * that every request reads. They are shared, and frozen.
   */
  readonly kept?: number
}

const mostOwners = 1000

/**
 * [Note: Store keys are digests] A key is the kind and the base64url SHA-256 of owner and ID. So IDs from callers can
 * neither reach another owner's records nor exceed a store's key length (1,978 bytes in LMDB).
 */
export function createTable<T>(
  store: Store,
  kind: RecordKind,
  { kept = 0, codec = jsonCodec<T>() }: Options<T> = {},
): Table<T> {
  const decode = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : codec.decode(bytes))
  const { prefixOf, keyOf } = createNames(kind, kept)
  const decoded = new Map<string, { bytes: Uint8Array; value: T }>()
  function decodeKept(key: string, bytes: Uint8Array | undefined): T | undefined {
    if (kept === 0 || bytes === undefined) return decode(bytes)
    const known = decoded.get(key)
    if (known !== undefined && sameBytes(known.bytes, bytes)) return known.value
    decoded.delete(key)
    return getOrCreate(decoded, kept, key, () => ({ bytes, value: frozen(codec.decode(bytes)) })).value
  }

  function write(owner: string, id: string, value: T, expiresInSeconds?: number): Put
  function write(owner: string, id: string, value: T | undefined, expiresInSeconds?: number): Write
  function write(owner: string, id: string, value: T | undefined, expiresInSeconds?: number): Write {
    const key = keyOf(owner, id)
    return value === undefined ? removalOf(key) : putOf(key, codec.encode(value), expiresInSeconds)
  }

  return {
    write,
    absent: (owner, id) => ({ key: keyOf(owner, id), value: undefined }),
    get: async (owner, id) => {
      const key = keyOf(owner, id)
      const found = store.get(key)
      return decodeKept(key, found instanceof Promise ? await found : found)
    },
    read: async (owner, id) => {
      const key = keyOf(owner, id)
      const bytes = await store.get(key)
      const value = decodeKept(key, bytes)
      return bytes === undefined || value === undefined ? undefined : { value, guard: { key, value: bytes } }
    },
    put: async (owner, id, value, expiresInSeconds) =>
      store.put(keyOf(owner, id), codec.encode(value), expiresInSeconds),
    insert: async (owner, id, value, expiresInSeconds) =>
      store.putIfAbsent(keyOf(owner, id), codec.encode(value), expiresInSeconds),
    remove: async (owner, id) => store.remove(keyOf(owner, id)),
    batches: (owner) => batchesOf(store, prefixOf(owner)),
    async *list(owner, afterId) {
      const after = afterId === undefined ? undefined : keyOf(owner, afterId)
      for await (const entry of store.list(prefixOf(owner), after)) yield codec.decode(entry.value)
    },
    async *listReadable(owner) {
      for await (const entry of store.list(prefixOf(owner))) {
        const found = unlessUnreadable(store, entry, codec)
        if (found !== undefined) yield found.value
      }
    },
  }
}

/** The records' store keys: a prefix per owner, and each record's full key. Caches up to `kept` of them. */
function createNames(kind: string, kept: number) {
  const owners = new Map<string, { readonly prefix: string; readonly byId: Map<string, string> }>()
  const namesOf = (owner: string) =>
    getOrCreate(owners, mostOwners, owner, () => ({ prefix: `${kind}/${digest(owner)}/`, byId: new Map() }))
  let remembered = 0

  function keyOf(owner: string, id: string): string {
    const known = namesOf(owner).byId.get(id)
    if (known !== undefined) return known
    if (kept > 0 && remembered++ >= kept) {
      owners.clear()
      remembered = 1
    }
    const { prefix, byId } = namesOf(owner)
    const key = prefix + digest(id)
    if (kept > 0) byId.set(id, key)
    return key
  }

  return { prefixOf: (owner: string) => namesOf(owner).prefix, keyOf }
}

/** @throws if the store has no listener for unreadable records */
function unlessUnreadable<T>(store: Store, entry: Entry, codec: Codec<T>): { readonly value: T } | undefined {
  try {
    return { value: codec.decode(entry.value) }
  } catch (error) {
    if (store.onUnreadable === undefined) throw error
    store.onUnreadable(entry.key, error)
    return undefined
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}

function frozen<V>(value: V): V {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

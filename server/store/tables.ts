import { createHash } from 'node:crypto'
import type { Guard, Store, Write } from './store.ts'

const schema = 1

/** A record as it was read, with the guard that holds as long as nobody has changed it. */
export interface Read<T> {
  readonly value: T
  readonly guard: Guard
}

/** A typed view of the store: records of one kind, each with an owner and an id. */
export interface Table<T> {
  get(owner: string, id: string): Promise<T | undefined>
  read(owner: string, id: string): Promise<Read<T> | undefined>
  put(owner: string, id: string, value: T, expiresInSeconds?: number): Promise<void>
  insert(owner: string, id: string, value: T, expiresInSeconds?: number): Promise<boolean>
  remove(owner: string, id: string): Promise<void>
  list(owner: string): AsyncIterable<T>
  /** For a commit of several records at once. */
  write(owner: string, id: string, value: T | undefined, expiresInSeconds?: number): Write
  absent(owner: string, id: string): Guard
}

/** The owner of records that belong to no account but to the deployment. */
export const deployment = ''

/**
 * [Note: Store keys are digests] A key is the kind and the base64url SHA-256 of owner and id: ids of callers can
 * neither reach another's records nor exceed what a store takes as a key (LMDB stops at 1,978 bytes).
 */
export function createTable<T>(store: Store, kind: string): Table<T> {
  const prefixOf = (owner: string) => `${kind}/${digest(owner)}/`
  const keyOf = (owner: string, id: string) => prefixOf(owner) + digest(id)

  const write: Table<T>['write'] = (owner, id, value, expiresInSeconds) => ({
    key: keyOf(owner, id),
    value: value === undefined ? undefined : encode(value),
    ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
  })

  return {
    write,
    absent: (owner, id) => ({ key: keyOf(owner, id), value: undefined }),
    get: async (owner, id) => decode<T>(await store.get(keyOf(owner, id))),
    read: async (owner, id) => {
      const key = keyOf(owner, id)
      const bytes = await store.get(key)
      return bytes === undefined ? undefined : { value: decode<T>(bytes)!, guard: { key, value: bytes } }
    },
    put: async (owner, id, value, expiresInSeconds) =>
      store.put(keyOf(owner, id), encode(value), expiresInSeconds),
    insert: async (owner, id, value, expiresInSeconds) =>
      store.putIfAbsent(keyOf(owner, id), encode(value), expiresInSeconds),
    remove: async (owner, id) => store.remove(keyOf(owner, id)),
    async *list(owner) {
      for await (const entry of store.list(prefixOf(owner))) yield decode<T>(entry.value)!
    },
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ schema, value }))
}

function decode<T>(bytes: Uint8Array | undefined): T | undefined {
  if (bytes === undefined) return undefined
  const record = JSON.parse(new TextDecoder().decode(bytes)) as { schema: number; value: T }
  if (record.schema !== schema) throw new Error(`A record of schema ${record.schema} cannot be read`)
  return record.value
}

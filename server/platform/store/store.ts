/**
 * One change of a commit. [Note: A write says what it is] Whoever passes writes on handles every kind of them in a `switch` that the compiler checks: a
 * write without a value was once an addition to one layer and a removal to another.
 */
export type Write = Put | Append | Addition | Removal

/** Replaces what the key holds. Without an expiry the entry stays, even if the one before had an expiry. */
export interface Put {
  readonly kind: 'put'
  readonly key: string
  readonly value: Uint8Array
  readonly expiresInSeconds?: number
}

/** Puts the value under the key, a stroke and the next number of this key: each number once, in the order of the commits. */
export interface Append {
  readonly kind: 'append'
  readonly key: string
  readonly value: Uint8Array
  readonly expiresInSeconds?: number
}

/** Adds to a count, which the entry holds in decimal digits, without reading or guarding it. */
export interface Addition {
  readonly kind: 'add'
  readonly key: string
  readonly more: number
  readonly expiresInSeconds?: number
}

export interface Removal {
  readonly kind: 'remove'
  readonly key: string
  /** The record goes as a step of some work: see `inPassing`. */
  readonly isPassing?: true
}

/** What must be in the store for a commit to happen: these very bytes, or nothing where undefined. */
export interface Guard {
  readonly key: string
  readonly value: Uint8Array | undefined
}

export interface Entry {
  readonly key: string
  readonly value: Uint8Array
  /** Milliseconds since 1970, by the clock of the store; undefined for never. */
  readonly expiresAt: number | undefined
}

/** Values one behind the other. Both arrays are filled anew for the next batch. */
export interface Batch {
  readonly bytes: Uint8Array
  /** Where each value ends. */
  readonly ends: Uint32Array
}

/** An entry of a snapshot; without a value it has gone, and takes the place of what stood under its key before. */
export interface SnapshotEntry {
  readonly key: string
  readonly value: Uint8Array | undefined
  readonly expiresAt: number | undefined
}

/** The whole store as it was at one moment, while others work on. */
export interface Snapshot {
  readonly entries: AsyncIterable<SnapshotEntry>
  /** The moment, milliseconds since 1970; right once the last entry was read. */
  takenAt(): number
}

/** There at once where the store has it at hand, or in a while. Whoever waits for it gets either. */
export type Awaitable<T> = T | Promise<T>

/** The port behind which every store stands. An expired entry is absent in every respect. */
export interface Store {
  get(key: string): Awaitable<Uint8Array | undefined>
  put(key: string, value: Uint8Array, expiresInSeconds?: number): Promise<void>
  /** Writes only where nothing is; answers whether it wrote. Atomic. */
  putIfAbsent(key: string, value: Uint8Array, expiresInSeconds?: number): Promise<boolean>
  remove(key: string): Promise<void>
  /** Every entry whose key begins with the prefix, by key; only those behind `after`, where that is given. */
  list(prefix: string, after?: string): AsyncIterable<Entry>
  /** The values of `list` alone, many at a time: for whoever reads a million of them. Not every store has it; see batches.ts. */
  readonly batches?: (prefix: string) => AsyncIterable<Batch>
  /** All writes if every guard holds, else none; answers which. Atomic across processes. */
  commit(writes: readonly Write[], guards: readonly Guard[]): Promise<boolean>
  /** Erases what has expired; answers how many entries. */
  sweep(): Promise<number>
  /** Told of a record that could not be read and was left out; without it, whoever reads is. */
  readonly onUnreadable?: (key: string, error: unknown) => void
  close(): Promise<void>
}

/** What was to be written could not be, for no fault of the request: the disk is full or broken, or the server refuses. Nothing was. */
export class WriteFailed extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'WriteFailed'
  }
}

/** Nothing can be read or written any more until the store is opened anew, which takes a new process. */
export class StoreLost extends WriteFailed {}

/** The server's clock, milliseconds since 1970. */
export type Clock = () => number

/** What a store does to a single entry, each as a commit. */
export function singleWrites(commit: Store['commit']): Pick<Store, 'put' | 'putIfAbsent' | 'remove'> {
  return {
    put: async (key, value, expiresInSeconds) =>
      void (await commit([putOf(key, value, expiresInSeconds)], [])),
    putIfAbsent: (key, value, expiresInSeconds) =>
      commit([putOf(key, value, expiresInSeconds)], [{ key, value: undefined }]),
    remove: async (key) => void (await commit([removalOf(key)], [])),
  }
}

/** Holds as long as the entry is what this put made it. */
export function guardOf({ key, value }: Put): Guard {
  return { key, value }
}

export function removalOf(key: string): Removal {
  return { kind: 'remove', key }
}

/**
 * Marks a removal that erases nothing: an old name after a rename, or an entry of an index that moves. A restore from an older backup does not
 * repeat it. Only kinds that journal-rules.ts names `either` need this.
 */
export function inPassing(write: Write): Write {
  return write.kind === 'remove' ? { ...write, isPassing: true } : write
}

export function putOf(key: string, value: Uint8Array, expiresInSeconds?: number): Put {
  return expiresInSeconds === undefined
    ? { kind: 'put', key, value }
    : { kind: 'put', key, value, expiresInSeconds }
}

/**
 * One change of a commit. [Note: A write says what it is] Layers that forward writes handle every kind in a `switch` that
 * the compiler checks. A write without a value was once an addition to one layer and a removal to another.
 */
export type Write = Put | Append | Addition | Removal

/** Replaces the value of a key. Without an expiry the entry stays, even if the previous one had an expiry. */
export interface Put {
  readonly kind: 'put'
  readonly key: string
  readonly value: Uint8Array
  readonly expiresInSeconds?: number
}

/** Stores the value under the key, a slash and the key's next number. Numbers are unique and follow the order of commits. */
export interface Append {
  readonly kind: 'append'
  readonly key: string
  readonly value: Uint8Array
  readonly expiresInSeconds?: number
}

/** Adds to a count, stored in decimal digits, without reading or guarding it. */
export interface Addition {
  readonly kind: 'add'
  readonly key: string
  readonly more: number
  readonly expiresInSeconds?: number
}

export interface Removal {
  readonly kind: 'remove'
  readonly key: string
  /** The record is removed as a step of some work: see `inPassing`. */
  readonly isPassing?: true
}

/** A condition of a commit: the key must have exactly these bytes, or no entry if undefined. */
export interface Guard {
  readonly key: string
  readonly value: Uint8Array | undefined
}

export interface Entry {
  readonly key: string
  readonly value: Uint8Array
  /** Milliseconds since 1970, by the clock of the store; undefined means never. */
  readonly expiresAt: number | undefined
}

/** Values in one buffer. Both arrays are overwritten by the next batch. */
export interface Batch {
  readonly bytes: Uint8Array
  /** End offset of each value. */
  readonly ends: Uint32Array
}

/** An entry of a snapshot. One without a value was removed and replaces an earlier entry of the same key. */
export interface SnapshotEntry {
  readonly key: string
  readonly value: Uint8Array | undefined
  readonly expiresAt: number | undefined
}

/** The whole store at one moment, while others continue to write. */
export interface Snapshot {
  readonly entries: AsyncIterable<SnapshotEntry>
  /** The moment of the snapshot, in milliseconds since 1970; correct once the last entry has been read. */
  takenAt(): number
}

/** Available immediately if the store has it in memory, otherwise a promise. Callers can `await` either. */
export type Awaitable<T> = T | Promise<T>

/** The port that every store implements. An expired entry counts as absent in every operation. */
export interface Store {
  get(key: string): Awaitable<Uint8Array | undefined>
  put(key: string, value: Uint8Array, expiresInSeconds?: number): Promise<void>
  /** Writes only if the key has no entry; returns true if it wrote. Atomic. */
  putIfAbsent(key: string, value: Uint8Array, expiresInSeconds?: number): Promise<boolean>
  remove(key: string): Promise<void>
  /** Every entry whose key begins with the prefix, by key; only those after `after`, if given. */
  list(prefix: string, after?: string): AsyncIterable<Entry>
  /** Only the values of `list`, many at a time, for callers that read a million of them. Not every store supports it; see batches.ts. */
  readonly batches?: (prefix: string) => AsyncIterable<Batch>
  /** Writes everything if every guard holds, otherwise nothing; returns true if it wrote. Atomic across processes. */
  commit(writes: readonly Write[], guards: readonly Guard[]): Promise<boolean>
  /** Erases expired entries and returns their number. */
  sweep(): Promise<number>
  /** Reports a record that was skipped because it could not be read. Without it, the reader receives the error. */
  readonly onUnreadable?: (key: string, error: unknown) => void
  close(): Promise<void>
}

/** A write failed through no fault of the request: the disk is full or broken, or the server refuses. Nothing was written. */
export class WriteFailed extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'WriteFailed'
  }
}

/** Nothing can be read or written until the store is reopened, which requires a new process. */
export class StoreLost extends WriteFailed {}

/** The server's clock, milliseconds since 1970. */
export type Clock = () => number

/** The single-entry writes of a store, each as a commit. */
export function singleWrites(commit: Store['commit']): Pick<Store, 'put' | 'putIfAbsent' | 'remove'> {
  return {
    put: async (key, value, expiresInSeconds) =>
      void (await commit([putOf(key, value, expiresInSeconds)], [])),
    putIfAbsent: (key, value, expiresInSeconds) =>
      commit([putOf(key, value, expiresInSeconds)], [{ key, value: undefined }]),
    remove: async (key) => void (await commit([removalOf(key)], [])),
  }
}

/** Holds while the entry is the one that this put wrote. */
export function guardOf({ key, value }: Put): Guard {
  return { key, value }
}

export function removalOf(key: string): Removal {
  return { kind: 'remove', key }
}

/**
 * Marks a removal that erases nothing, such as an old name after a rename or an index entry that moves. A restore from an
 * older backup does not repeat it. Only kinds that journal-rules.ts lists as `either` need this.
 */
export function inPassing(write: Write): Write {
  return write.kind === 'remove' ? { ...write, isPassing: true } : write
}

export function putOf(key: string, value: Uint8Array, expiresInSeconds?: number): Put {
  return expiresInSeconds === undefined
    ? { kind: 'put', key, value }
    : { kind: 'put', key, value, expiresInSeconds }
}

/**
 * One change in a commit. [Note: A write says what it is] Layers that forward writes handle every kind in a `switch` that
 * the compiler checks. One layer once took a write without a value for an addition, and another for a removal.
 */
export type Write = Put | Append | Addition | Removal

/** Replaces a key's value. Without an expiry, the entry stays even if the previous one had an expiry. */
export interface Put {
  readonly kind: 'put'
  readonly key: string
  readonly value: Uint8Array
  readonly expiresInSeconds?: number
}

/** Stores the value under the key, a slash and the key's next number. Numbers are unique and follow commit order. */
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
  /** True if the record is removed as a step in a larger operation; see `inPassing`. */
  readonly isPassing?: true
}

/** A commit's condition: the key must have exactly these bytes, or no entry if undefined. */
export interface Guard {
  readonly key: string
  readonly value: Uint8Array | undefined
}

export interface Entry {
  readonly key: string
  readonly value: Uint8Array
  /** Milliseconds since 1970, by the store's clock; undefined means never. */
  readonly expiresAt: number | undefined
}

/** Values in one buffer. The next batch overwrites both arrays. */
export interface Batch {
  readonly bytes: Uint8Array
  /** Each value's end offset. */
  readonly ends: Uint32Array
}

/** A snapshot entry. An entry without a value was removed, and replaces an earlier entry with the same key. */
export interface SnapshotEntry {
  readonly key: string
  readonly value: Uint8Array | undefined
  readonly expiresAt: number | undefined
}

/** The whole store at one moment, while other processes continue to write. */
export interface Snapshot {
  readonly entries: AsyncIterable<SnapshotEntry>
  /** When the snapshot was taken, in milliseconds since 1970; correct once the last entry has been read. */
  takenAt(): number
}

/** Available immediately if the store has it in memory, otherwise a promise. Callers can `await` either. */
export type Awaitable<T> = T | Promise<T>

/** The port that every store implements. An expired entry counts as absent in every operation. */
export interface Store {
  get(key: string): Awaitable<Uint8Array | undefined>
  put(key: string, value: Uint8Array, expiresInSeconds?: number): Promise<void>
  /** Writes only if the key has no entry. Returns true if it wrote. Atomic. */
  putIfAbsent(key: string, value: Uint8Array, expiresInSeconds?: number): Promise<boolean>
  remove(key: string): Promise<void>
  /** All entries with a key that begins with the prefix, sorted by key; only those after `after`, if given. */
  list(prefix: string, after?: string): AsyncIterable<Entry>
  /** Just the values in `list`, many at a time, for callers that read a million of them. Not every store supports it; see batches.ts. */
  readonly batches?: (prefix: string) => AsyncIterable<Batch>
  /** Writes everything if every guard holds, and otherwise nothing. Returns true if it wrote. Atomic across processes. */
  commit(writes: readonly Write[], guards: readonly Guard[]): Promise<boolean>
  /** Erases expired entries and returns how many. */
  sweep(): Promise<number>
  /** Reports a record that was skipped because it is unreadable. If absent, the reader receives the error. */
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

/** A store's single-entry writes, each as its own commit. */
export function singleWrites(commit: Store['commit']): Pick<Store, 'put' | 'putIfAbsent' | 'remove'> {
  return {
    put: async (key, value, expiresInSeconds) =>
      void (await commit([putOf(key, value, expiresInSeconds)], [])),
    putIfAbsent: (key, value, expiresInSeconds) =>
      commit([putOf(key, value, expiresInSeconds)], [{ key, value: undefined }]),
    remove: async (key) => void (await commit([removalOf(key)], [])),
  }
}

/** Holds while the entry is still the one that this put wrote. */
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

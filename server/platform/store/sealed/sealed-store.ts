import { createHmac } from 'node:crypto'
import { type KeyRing, openBytes, sealBytes } from '#server/platform/crypto/key-ring.ts'
import { type LoopTurns, loopTurns } from '#server/platform/running/loop-turns.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { batchesOf, batchesOfList } from '#server/platform/store/batches/batches.ts'
import { countKinds, kindOf } from '#server/platform/store/records/record-kinds.ts'
import { type Entry, type Guard, type Store, singleWrites, type Write } from '#server/platform/store/store.ts'
import { createOpenedEntries } from './opened-entries.ts'

/** Seals a value for storage under a key, and opens it again. */
export interface EntrySeal {
  /** Deterministic, so that a guard can match the bytes that were read. */
  seal(key: string, value: Uint8Array): Uint8Array
  /** @throws if it was not sealed for this key, or was altered */
  open(key: string, stored: Uint8Array): Uint8Array
}

/** A record that this deployment did not write under this key. */
export class AlteredRecord extends Error {}

const use = 'store-entry'
const ivBytes = 12
const form = Buffer.of(1)

/**
 * Kinds that are stored unsealed: records that must be read before there is a key; counts and a log of changes, which
 * identify no person and grow within a commit; faces, which are sealed under the keys of their collections; and rows of
 * sessions and pending audit entries, which seal themselves.
 */
const unsealedKinds: readonly string[] = [
  ...countKinds,
  'store-stamp',
  'store-restore',
  'region',
  'root-key',
  'rate-share',
  'face',
  'session-change',
  'session-row',
  'session-past',
  'session-class',
  'audit-outbox',
]

/**
 * [Note: Every record is sealed] Records are sealed in the one layer that all of them pass through, so that no kind can be
 * forgotten. AES-256-GCM authenticates the entry's key. The IV is an HMAC of the key and the value, as in SIV (RFC 5297),
 * because a commit's guards compare bytes. Equal bytes reveal only that a record has not changed.
 */
export function createEntrySeal(keyRing: KeyRing): EntrySeal {
  const sealingKey = keyRing.derive(`seal:${use}`)
  const ivKey = keyRing.derive(`iv:${use}`)
  return {
    seal(key, value) {
      if (isUnsealed(key)) return value
      const iv = createHmac('sha256', ivKey).update(`${key}\0`).update(value).digest().subarray(0, ivBytes)
      return Buffer.concat([form, sealBytes(sealingKey, Buffer.from(key), value, iv)])
    },
    open(key, stored) {
      if (isUnsealed(key)) return stored
      const value = tryOrUndefined(() => openBytes(sealingKey, Buffer.from(key), stored.subarray(1)))
      if (stored[0] !== form[0] || value === undefined) {
        throw new AlteredRecord('A record of the store was altered, or moved to another key')
      }
      return value
    },
  }
}

function isUnsealed(key: string): boolean {
  return unsealedKinds.includes(key.slice(0, key.indexOf('/')))
}

/** True if everything under a prefix is of one of these kinds. */
function isUnsealedPrefix(prefix: string): boolean {
  return prefix.includes('/') && isUnsealed(prefix)
}

interface SealReporters {
  /** Runs with the writes before they are acknowledged to the caller. */
  readonly onWritten?: (writes: readonly Write[]) => Promise<void>
  readonly onUnreadable?: Store['onUnreadable']
  /** The event loop turns in which lists are read. */
  readonly turns?: LoopTurns
}

/**
 * Wraps a store so that it never holds a plain record. [Note: Lists are read in slices] LMDB answers from memory, so a list
 * of any length would be read in a single event loop turn, including its reader's work on each entry. All of the product's
 * lists pass through here.
 */
export function createSealedStore(
  store: Store,
  { seal, open }: EntrySeal,
  { onWritten = async () => undefined, onUnreadable, turns = loopTurns }: SealReporters = {},
): Store {
  const openKept = createOpenedEntries(open)
  function sealedWrite(write: Write): Write {
    switch (write.kind) {
      case 'put':
      case 'append':
        return { ...write, value: seal(write.key, write.value) }
      case 'add':
        if (!isUnsealed(write.key)) throw new Error(`${kindOf(write.key)} is not among the kinds of counts`)
        return write
      case 'remove':
        return write
    }
  }
  const sealedGuard = ({ key, value }: Guard): Guard => ({ key, value: value && seal(key, value) })
  const commit: Store['commit'] = async (writes, guards) => {
    const isWritten = await store.commit(writes.map(sealedWrite), guards.map(sealedGuard))
    if (isWritten) await onWritten(writes)
    return isWritten
  }
  async function* list(prefix: string, after?: string): AsyncGenerator<Entry> {
    for await (const { key, value, expiresAt } of store.list(prefix, after)) {
      if (turns.isOver()) await turns.next()
      yield openedEntry(key, expiresAt, () => open(key, value))
    }
  }
  return {
    get(key) {
      const found = store.get(key)
      if (found instanceof Promise) return found.then((stored) => stored && openKept(key, stored))
      return found && openKept(key, found)
    },
    ...singleWrites(commit),
    list,
    batches: (prefix) => (isUnsealedPrefix(prefix) ? batchesOf(store, prefix) : batchesOfList(list(prefix))),
    commit,
    sweep: () => store.sweep(),
    close: () => store.close(),
    ...(onUnreadable && { onUnreadable }),
  }
}

/** [Note: Opened by whoever looks] An altered record fails the caller that opens it, but not the lists that contain it. */
function openedEntry(key: string, expiresAt: number | undefined, open: () => Uint8Array): Entry {
  return {
    key,
    expiresAt,
    get value() {
      return open()
    },
  }
}

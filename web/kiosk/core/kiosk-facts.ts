import { type Signal, signal } from '@preact/signals'
import type { DriftView, KioskError, KioskErrorKind, StorageView } from './kiosk.ts'
import type { Pairing } from './kiosk-store.ts'

/** Logs an error. `code` is null or absent if the server did not send one. */
export type NoteError = (kind: KioskErrorKind, code?: string | null) => void

/** How many captures there are, and when the last one was sent. */
export interface QueueCounts {
  readonly waiting: number
  readonly setAside: number
  /** Milliseconds since 1970; null before the first one. */
  readonly lastSentAt: number | null
  /** The last capture's sequence number; 0 before the first one. */
  readonly lastSequence: number
}

/** The kiosk's state. Everything on screen is derived from it. */
export interface KioskFacts {
  readonly place: Signal<'starting' | 'elsewhere' | 'here'>
  readonly pairing: Signal<Pairing | undefined>
  readonly installed: Signal<{ readonly share: number; readonly isStuck: boolean; readonly isDone: boolean }>
  readonly counts: Signal<QueueCounts>
  readonly sending: Signal<boolean>
  readonly storage: Signal<StorageView>
  /** True from the time a capture could not be written until space has been freed. */
  readonly refusedWrite: Signal<boolean>
  /** True if the browser stores nothing, however much space there is. */
  readonly refusedStorage: Signal<boolean>
  /** True if space has been reserved for the next visit. */
  readonly hasReserve: Signal<boolean>
  readonly unusedPlans: Signal<number>
  /** True if a reload would interrupt a person. */
  readonly inUse: Signal<boolean>
  readonly drift: Signal<DriftView>
  readonly online: Signal<boolean>
  readonly hasPin: Signal<boolean>
  readonly errors: Signal<readonly KioskError[]>
}

/** The state before anything has been loaded. */
export function unknownFacts(): KioskFacts {
  return {
    place: signal('starting'),
    pairing: signal(undefined),
    installed: signal({ share: 0, isStuck: false, isDone: false }),
    counts: signal({ waiting: 0, setAside: 0, lastSentAt: null, lastSequence: 0 }),
    sending: signal(false),
    storage: signal({ usedBytes: 0, quotaBytes: Number.MAX_SAFE_INTEGER, isPersisted: false }),
    refusedWrite: signal(false),
    refusedStorage: signal(false),
    hasReserve: signal(true),
    unusedPlans: signal(0),
    inUse: signal(false),
    drift: signal({ offsetInSeconds: 0, isFlagged: false }),
    online: signal(true),
    hasPin: signal(false),
    errors: signal([]),
  }
}

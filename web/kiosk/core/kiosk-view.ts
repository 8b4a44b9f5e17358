import { computed, type Signal, signal } from '@preact/signals'
import type { Counts } from '#web/kiosk/delivery/capture-queue.ts'
import type { DriftView, Kiosk, KioskError, KioskStatus, StorageView } from './kiosk.ts'
import type { Pairing } from './kiosk-store.ts'

/** What the kiosk knows of itself; everything that it shows follows from this. */
export interface KioskFacts {
  readonly place: Signal<'starting' | 'elsewhere' | 'here'>
  readonly pairing: Signal<Pairing | undefined>
  readonly installed: Signal<{ readonly share: number; readonly isStuck: boolean; readonly isDone: boolean }>
  readonly counts: Signal<Counts>
  readonly sending: Signal<boolean>
  readonly storage: Signal<StorageView>
  /** A capture could not be written; no room was made since. */
  readonly refusedWrite: Signal<boolean>
  /** Whether there is room for whatever the next visit takes. */
  readonly hasReserve: Signal<boolean>
  readonly unusedPlans: Signal<number>
  /** Whether a reload would take something from somebody. */
  readonly inUse: Signal<boolean>
  readonly drift: Signal<DriftView>
  readonly online: Signal<boolean>
  readonly hasPin: Signal<boolean>
  readonly errors: Signal<readonly KioskError[]>
}

/** The facts before anything is known. */
export function unknownFacts(): KioskFacts {
  return {
    place: signal('starting'),
    pairing: signal(undefined),
    installed: signal({ share: 0, isStuck: false, isDone: false }),
    counts: signal({ waiting: 0, setAside: 0, lastSentAt: null, lastSequence: 0 }),
    sending: signal(false),
    storage: signal({ usedBytes: 0, quotaBytes: Number.MAX_SAFE_INTEGER, isPersisted: false }),
    refusedWrite: signal(false),
    hasReserve: signal(true),
    unusedPlans: signal(0),
    inUse: signal(false),
    drift: signal({ offsetInSeconds: 0, isFlagged: false }),
    online: signal(true),
    hasPin: signal(false),
    errors: signal([]),
  }
}

type Signals = Pick<
  Kiosk,
  'status' | 'name' | 'settings' | 'queue' | 'storage' | 'drift' | 'errors' | 'online' | 'hasPin'
>

/** What the screens are shown of the facts. */
export function viewOf(facts: KioskFacts): Signals {
  const { pairing, counts, sending, storage, drift, errors, online, hasPin } = facts
  return {
    status: computed(() => statusOf(facts)),
    name: computed(() => pairing.value?.configuration.name ?? null),
    settings: computed(() => {
      const { locale, capturePlan } = pairing.value?.configuration ?? {}
      return capturePlan === undefined ? null : { locale: locale ?? null, capturePlan }
    }),
    queue: computed(() => {
      const { waiting, setAside, lastSentAt } = counts.value
      return { waiting, setAside, lastSentAt, sending: sending.value }
    }),
    storage,
    drift,
    errors,
    online,
    hasPin,
  }
}

/** Whether a visit needs a plan of the server. */
export function needsPlan({ configuration }: Pairing): boolean {
  return configuration.capturePlan.challenge !== null && !configuration.allowPassive
}

function statusOf(facts: KioskFacts): KioskStatus {
  const pairing = facts.pairing.value
  const { share, isStuck, isDone } = facts.installed.value
  if (facts.place.value !== 'here') return { kind: facts.place.value }
  if (pairing === undefined) return { kind: 'unpaired' }
  if (pairing.isRevoked) return { kind: 'revoked' }
  if (!isDone) return { kind: 'installing', share, isStuck }
  if (facts.refusedWrite.value || !facts.hasReserve.value) return { kind: 'full' }
  if (needsPlan(pairing) && facts.unusedPlans.value === 0) return { kind: 'noPlans' }
  return { kind: 'ready' }
}

import { computed, type Signal, signal } from '@preact/signals'
import type { KioskPlans } from '#web/kiosk/capture/kiosk-plans.ts'
import type { CaptureQueue, Counts } from '#web/kiosk/delivery/capture-queue.ts'
import type { Reserve } from '#web/kiosk/delivery/reserve.ts'
import type { StaffPin } from '#web/kiosk/staff/staff-pin.ts'
import type { DriftView, Kiosk, KioskError, KioskErrorKind, KioskStatus, StorageView } from './kiosk.ts'
import type { KioskClock } from './kiosk-clock.ts'
import type { Pairing } from './kiosk-store.ts'
import { readStorage } from './origin-storage.ts'

/** Logs an error. `code` is null or absent if the server did not send one. */
export type NoteError = (kind: KioskErrorKind, code?: string | null) => void

/** The kiosk's state. Everything on screen is derived from it. */
export interface KioskFacts {
  readonly place: Signal<'starting' | 'elsewhere' | 'here'>
  readonly pairing: Signal<Pairing | undefined>
  readonly installed: Signal<{ readonly share: number; readonly isStuck: boolean; readonly isDone: boolean }>
  readonly counts: Signal<Counts>
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

interface Kept {
  readonly facts: KioskFacts
  readonly reserve: Pick<Reserve, 'hold'>
  readonly queue: Pick<CaptureQueue, 'count'>
  readonly plans: Pick<KioskPlans, 'unused'>
  readonly pin: Pick<StaffPin, 'isSet'>
  readonly clock: Pick<KioskClock, 'drift'>
  readonly note: NoteError
}

/** Reloads the stored data and reserves space for the next capture. */
export async function refreshFacts({ facts, reserve, queue, plans, pin, clock, note }: Kept): Promise<void> {
  if (facts.pairing.value !== undefined) await holdRoom(facts, reserve, note)
  facts.counts.value = await queue.count()
  facts.storage.value = await readStorage()
  facts.unusedPlans.value = await plans.unused()
  facts.hasPin.value = await pin.isSet()
  facts.drift.value = clock.drift()
}

async function holdRoom(
  { refusedStorage, refusedWrite, hasReserve }: KioskFacts,
  reserve: Kept['reserve'],
  note: NoteError,
): Promise<void> {
  try {
    const isHeld = await reserve.hold()
    if (!isHeld && hasReserve.value) note('storageFull')
    if (isHeld) refusedWrite.value = false
    hasReserve.value = isHeld
    refusedStorage.value = false
  } catch (error) {
    note('storageRefused', refusalOf(error))
    refusedStorage.value = true
  }
}

/** The browser's name for the error, which tells a private window from a broken disk. */
export function refusalOf(error: unknown): string | null {
  return error instanceof DOMException ? error.name : null
}

type Signals = Pick<
  Kiosk,
  'status' | 'name' | 'settings' | 'queue' | 'storage' | 'drift' | 'errors' | 'online' | 'hasPin'
>

/** The part of the state that screens show. */
export function viewOf(facts: KioskFacts): Signals {
  const { pairing, counts, sending, storage, drift, errors, online, hasPin } = facts
  return {
    status: computed(() => statusOf(facts)),
    name: computed(() => pairing.value?.configuration.name ?? null),
    settings: computed(() => {
      const { locale = null, capturePlan, outcomeTexts } = pairing.value?.configuration ?? {}
      if (capturePlan === undefined) return null
      return { locale, capturePlan, ...(outcomeTexts !== undefined && { outcomeTexts }) }
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

/** True if a visit requires a plan from the server. */
function needsPlan({ configuration }: Pairing): boolean {
  return configuration.capturePlan.challenge !== null && !configuration.allowPassive
}

function statusOf(facts: KioskFacts): KioskStatus {
  const pairing = facts.pairing.value
  const { share, isStuck, isDone } = facts.installed.value
  if (facts.place.value !== 'here') return { kind: facts.place.value }
  if (facts.refusedStorage.value) return { kind: 'storageRefused' }
  if (pairing === undefined) return { kind: 'unpaired' }
  if (pairing.isRevoked) return { kind: 'revoked' }
  if (!isDone) return { kind: 'installing', share, isStuck }
  if (facts.refusedWrite.value || !facts.hasReserve.value) return { kind: 'full' }
  if (needsPlan(pairing) && facts.unusedPlans.value === 0) return { kind: 'noPlans' }
  return { kind: 'ready' }
}

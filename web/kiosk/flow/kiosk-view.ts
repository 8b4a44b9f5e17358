import { computed } from '@preact/signals'
import type { KioskPlans } from '#web/kiosk/capture/kiosk-plans.ts'
import type { Kiosk, KioskStatus } from '#web/kiosk/core/kiosk.ts'
import type { KioskClock } from '#web/kiosk/core/kiosk-clock.ts'
import type { KioskFacts, NoteError } from '#web/kiosk/core/kiosk-facts.ts'
import type { Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { readStorage } from '#web/kiosk/core/origin-storage.ts'
import type { CaptureQueue } from '#web/kiosk/delivery/capture-queue.ts'
import type { Reserve } from '#web/kiosk/delivery/reserve.ts'
import type { StaffPin } from '#web/kiosk/staff/staff-pin.ts'

/** The parts that the facts are read from. */
interface FactSources {
  readonly facts: KioskFacts
  readonly reserve: Pick<Reserve, 'hold'>
  readonly queue: Pick<CaptureQueue, 'count'>
  readonly plans: Pick<KioskPlans, 'unused'>
  readonly pin: Pick<StaffPin, 'isSet'>
  readonly clock: Pick<KioskClock, 'drift'>
  readonly note: NoteError
}

/** Reloads the stored data and reserves space for the next capture. */
export async function refreshFacts({
  facts,
  reserve,
  queue,
  plans,
  pin,
  clock,
  note,
}: FactSources): Promise<void> {
  if (facts.pairing.value !== undefined) await holdRoom(facts, reserve, note)
  facts.counts.value = await queue.count()
  facts.storage.value = await readStorage()
  facts.unusedPlans.value = await plans.unused()
  facts.hasPin.value = await pin.isSet()
  facts.drift.value = clock.drift()
}

async function holdRoom(
  { refusedStorage, refusedWrite, hasReserve }: KioskFacts,
  reserve: FactSources['reserve'],
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

import { createKioskPlans, type KioskPlans } from '#web/kiosk/capture/kiosk-plans.ts'
import { type CaptureQueue, createCaptureQueue } from '#web/kiosk/delivery/capture-queue.ts'
import { createKioskClient, type KioskClient } from '#web/kiosk/delivery/kiosk-client.ts'
import { createReserve } from '#web/kiosk/delivery/reserve.ts'
import { createStaffPin, type StaffPin } from '#web/kiosk/staff/staff-pin.ts'
import type { AnalysisHosts } from '#web/visit/capture/analysis-host.ts'
import { type ErrorLog, openErrorLog } from './error-log.ts'
import type { KioskErrorKind } from './kiosk.ts'
import { createKioskClock, type KioskClock } from './kiosk-clock.ts'
import { type KioskStore, openKioskStore, type Pairing } from './kiosk-store.ts'
import type { KioskFacts } from './kiosk-view.ts'
import { readStorage, unlessFull } from './origin-storage.ts'

/** What a kiosk works with, once this window has the lock. */
export interface KioskParts {
  readonly facts: KioskFacts
  readonly hosts: AnalysisHosts
  readonly store: KioskStore
  readonly clock: KioskClock
  readonly client: KioskClient
  readonly queue: CaptureQueue
  readonly plans: KioskPlans
  readonly log: ErrorLog
  readonly pin: StaffPin
  /** Keeps a pairing, and what the clock has learnt with it. */
  keepPairing(pairing: Pairing): Promise<void>
  /** Reads anew what is kept, and shows it; holds room for the next capture. */
  refresh(): Promise<void>
  note(kind: KioskErrorKind, code?: string | null): void
}

/** Opens everything that is kept on this device. */
export async function openParts(
  facts: KioskFacts,
  hosts: AnalysisHosts,
  origin: string,
): Promise<KioskParts> {
  const store = await openKioskStore()
  const clock = createKioskClock((await store.note('clock'))?.offset ?? 0)
  let privateKey = (await store.deviceKey())?.privateKey
  facts.pairing.value = await store.pairing()
  const pairing = () => facts.pairing.value
  const credentials = () => {
    const known = pairing()
    return known && privateKey && { kioskId: known.kioskId, issuer: known.issuer, privateKey }
  }
  const reserve = createReserve(store)
  const queue = createCaptureQueue(store, reserve)
  const plans = createKioskPlans({ store, pairing, now: clock.now })
  const pin = createStaffPin(store, reserve)
  const log = await openErrorLog(store, facts.errors)
  const note = (kind: KioskErrorKind, code: string | null = null) => log.add({ at: clock.now(), kind, code })
  const holdRoom = async () => {
    const isHeld = await reserve.hold()
    if (!isHeld && facts.hasReserve.value) note('storageFull')
    if (isHeld) facts.refusedWrite.value = false
    facts.hasReserve.value = isHeld
  }

  return {
    facts,
    hosts,
    store,
    clock,
    queue,
    plans,
    pin,
    log,
    client: createKioskClient({ origin, clock, credentials }),
    async keepPairing(kept) {
      const write = () =>
        store.write(['identity', 'notes'], async (transaction) => {
          await transaction.objectStore('identity').put(kept, 'pairing')
          await transaction.objectStore('notes').put({ offset: clock.offset() }, 'clock')
        })
      await unlessFull(reserve.within('roomForNotes', write))
      privateKey = (await store.deviceKey())?.privateKey
      facts.pairing.value = kept
    },
    async refresh() {
      if (pairing() !== undefined) await holdRoom()
      facts.counts.value = await queue.count()
      facts.storage.value = await readStorage()
      facts.unusedPlans.value = await plans.unused()
      facts.hasPin.value = await pin.isSet()
      facts.drift.value = clock.drift()
    },
    note,
  }
}

import { createHosts } from '#web/capture/analysis/analysis-host.ts'
import { createKioskPlans } from '#web/kiosk/capture/kiosk-plans.ts'
import { warmWhenReady } from '#web/kiosk/capture/offline-analysis.ts'
import { createVisits } from '#web/kiosk/capture/visits.ts'
import { openErrorLog } from '#web/kiosk/core/error-log.ts'
import type { Kiosk, KioskCommands } from '#web/kiosk/core/kiosk.ts'
import { createKioskClock } from '#web/kiosk/core/kiosk-clock.ts'
import { type KioskFacts, unknownFacts } from '#web/kiosk/core/kiosk-facts.ts'
import { type KioskStore, openKioskStore, type Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { takeWindowLock } from '#web/kiosk/core/window-lock.ts'
import { createCaptureQueue } from '#web/kiosk/delivery/capture-queue.ts'
import { createDelivery, type DeliveryChange } from '#web/kiosk/delivery/delivery.ts'
import { createKioskClient } from '#web/kiosk/delivery/kiosk-client.ts'
import { createReserve } from '#web/kiosk/delivery/reserve.ts'
import { createPairingDesk } from '#web/kiosk/staff/pairing-desk.ts'
import { createStaffPin } from '#web/kiosk/staff/staff-pin.ts'
import { createInstallation, keepInstalled } from './installation.ts'
import { refreshFacts, refusalOf, viewOf } from './kiosk-view.ts'
import { createRounds } from './rounds.ts'

/** Creates this window's kiosk. It starts once no other window is running the kiosk. */
export function createKiosk(): Kiosk {
  const facts = unknownFacts()
  const waiting = () => {
    facts.place.value = 'elsewhere'
  }
  const view = viewOf(facts)
  const working = takeWindowLock(waiting).then(() => openKiosk(facts, view))
  working.catch((error) => {
    facts.errors.value = [{ at: Date.now(), kind: 'storageRefused', code: refusalOf(error) }]
    facts.refusedStorage.value = true
    facts.place.value = 'here'
  })
  return {
    ...view,
    commands: {
      pair: async (code) => (await working).pair(code),
      sync: async () => (await working).sync(),
      retrySetAside: async () => (await working).retrySetAside(),
      unpair: async (typedName, loseWaiting) => (await working).unpair(typedName, loseWaiting),
      beginVisit: async () => (facts.place.value === 'here' ? (await working).beginVisit() : undefined),
      setPin: async (digits) => (await working).setPin(digits),
      checkPin: async (digits) => (await working).checkPin(digits),
    },
    setInUse(inUse) {
      facts.inUse.value = inUse
    },
  }
}

/** Opens the stored data and starts the kiosk, which then installs files, synchronises and sends captures. */
async function openKiosk(facts: KioskFacts, { status }: Pick<Kiosk, 'status'>): Promise<KioskCommands> {
  const store = await openKioskStore()
  const clock = createKioskClock((await store.note('clock'))?.offset ?? 0)
  facts.pairing.value = await store.pairing()
  const pairing = () => facts.pairing.value
  const hosts = createHosts()
  const reserve = createReserve(store)
  const queue = createCaptureQueue(store, reserve)
  const plans = createKioskPlans({ store, pairing, now: clock.now })
  const pin = createStaffPin(store, reserve)
  const note = await openErrorLog(store, facts.errors, clock.now)
  const client = createKioskClient({
    origin: location.origin,
    clock,
    credentials: () => readCredentials(store, pairing()),
  })
  const refresh = () => refreshFacts({ facts, reserve, queue, plans, pin, clock, note })
  const desk = createPairingDesk({ facts, store, reserve, clock, client, plans, refresh, note })
  const installation = createInstallation(facts.inUse)
  const onChange = ({ sending, reached }: DeliveryChange) => {
    facts.sending.value = sending
    if (reached !== undefined) facts.online.value = reached
    refresh().catch(() => {})
  }
  const startDelivery = () =>
    createDelivery({ queue, client, now: clock.now, onTrouble: desk.hear, onChange })
  let delivery = startDelivery()
  const send = () => delivery.send()
  const sync = createRounds({ desk, installation, send, hasReserve: facts.hasReserve })
  const onKept = () => void refresh().then(send, () => {})
  const visits = createVisits({ facts, hosts, store, clock, queue, plans, note, onKept })

  listen(facts, sync)
  warmWhenReady(status, pairing, hosts)
  void refresh().then(() => {
    facts.place.value = 'here'
    return sync()
  })
  void keepInstalled(installation, facts.installed, note)

  return {
    pair: desk.pair,
    sync,
    retrySetAside: () => queue.restore().then(refresh).then(send),
    async unpair(typedName, loseWaiting) {
      delivery.stop()
      const ended = await desk.unpair(typedName, loseWaiting)
      delivery = startDelivery()
      if (ended === 'unpaired') visits.end()
      return ended
    },
    async beginVisit() {
      visits.end()
      await refresh()
      return status.value.kind === 'ready' ? visits.begin(pairing()!) : undefined
    },
    setPin: (digits) => pin.set(digits).then(refresh),
    checkPin: pin.check,
  }
}

/** The credentials for the server; undefined while unpaired. */
async function readCredentials(store: KioskStore, pairing: Pairing | undefined) {
  const key = await store.deviceKey()
  return pairing && key && { ...pairing, privateKey: key.privateKey }
}

function listen({ online }: KioskFacts, sync: () => Promise<boolean>): void {
  addEventListener('online', () => void sync())
  addEventListener('offline', () => {
    online.value = false
  })
}

import { effect, type ReadonlySignal } from '@preact/signals'
import { wantedEver } from '#web/kiosk/capture/spot-analysis.ts'
import { beginVisit } from '#web/kiosk/capture/visits.ts'
import { createDelivery, type Delivery } from '#web/kiosk/delivery/delivery.ts'
import { createPairingDesk } from '#web/kiosk/staff/pairing-desk.ts'
import type { Installation } from './installation.ts'
import type { Kiosk, KioskVisit } from './kiosk.ts'
import type { KioskParts } from './kiosk-parts.ts'
import { viewOf } from './kiosk-view.ts'

/** The commands of a kiosk that has the lock. */
export type KioskWork = Pick<
  Kiosk,
  'pair' | 'sync' | 'retrySetAside' | 'unpair' | 'beginVisit' | 'setPin' | 'checkPin' | 'close'
>

const syncMilliseconds = 5 * 60_000
const lookAgainMilliseconds = 20_000
const installAgainMilliseconds = 15_000

/** Sets a kiosk to work: installs, keeps up to date, sends, and begins visits. */
export function startKioskWork(
  parts: KioskParts,
  install: (inUse: ReadonlySignal<boolean>) => Installation,
): KioskWork {
  const { facts, queue, client, clock, pin, hosts, refresh, note, keepPairing } = parts
  const { status } = viewOf(facts)
  const over = new AbortController()
  const desk = createPairingDesk(parts)
  const installation = install(facts.inUse)
  let visit: KioskVisit | undefined
  let delivery = startDelivery()
  let timer: ReturnType<typeof setTimeout> | undefined

  function startDelivery(): Delivery {
    return createDelivery({
      queue,
      client,
      now: clock.now,
      onTrouble(kind, code) {
        note(kind, code)
        const pairing = facts.pairing.value
        if (kind === 'revoked' && pairing !== undefined)
          keepPairing({ ...pairing, isRevoked: true }).catch(() => {})
      },
      onChange({ sending, reached }) {
        facts.sending.value = sending
        if (reached !== undefined) facts.online.value = reached
        refresh().catch(() => {})
      },
    })
  }
  const syncAndSend = async () => {
    clearTimeout(timer)
    const isReached = await desk.sync()
    if (isReached) installation.renew().catch(() => {})
    if (isReached) await delivery.send()
    clearTimeout(timer) // of another round, that went on meanwhile
    if (over.signal.aborted) return isReached
    // Room comes back some seconds after what was in it went.
    const isSettled = isReached && facts.hasReserve.value
    timer = setTimeout(syncAndSend, isSettled ? syncMilliseconds : lookAgainMilliseconds)
    return isReached
  }
  const keepInstalled = async () => {
    const isDone = await installation.complete((share) => {
      facts.installed.value = { share, isStuck: false, isDone: false }
    })
    facts.installed.value = { share: isDone ? 1 : facts.installed.value.share, isStuck: !isDone, isDone }
    if (isDone || over.signal.aborted) return
    note('notInstalled')
    setTimeout(keepInstalled, installAgainMilliseconds)
  }
  const endVisit = () => {
    visit?.end()
    visit = undefined
  }

  addEventListener('online', () => void syncAndSend(), { signal: over.signal })
  const cutOff = () => {
    facts.online.value = false
  }
  addEventListener('offline', cutOff, { signal: over.signal })
  const stopWarming = effect(() => {
    if (status.value.kind !== 'ready') return
    const { configuration } = facts.pairing.peek()!
    const host = hosts.current()
    host.within(host.api.prepare(wantedEver(configuration))).catch(() => {}) // a visit finds out, and says so
  })
  void refresh()
    .then(() => {
      facts.place.value = 'here'
    })
    .then(syncAndSend)
  void keepInstalled()

  return {
    pair: desk.pair,
    sync: syncAndSend,
    async retrySetAside() {
      await queue.restore()
      await refresh()
      await delivery.send()
    },
    async unpair(typedName, loseWaiting) {
      delivery.stop()
      const ended = await desk.unpair(typedName, loseWaiting)
      delivery = startDelivery()
      if (ended === 'unpaired') endVisit()
      return ended
    },
    async beginVisit() {
      endVisit()
      await refresh()
      const pairing = facts.pairing.value
      if (status.value.kind !== 'ready' || pairing === undefined) return undefined
      const begun = beginVisit(parts, pairing, () => {
        refresh().then(
          () => delivery.send(),
          () => {},
        )
      })
      visit = begun
      return { ...begun, end: () => (visit === begun ? endVisit() : undefined) }
    },
    async setPin(digits) {
      await pin.set(digits)
      await refresh()
    },
    checkPin: pin.check,
    close() {
      over.abort()
      clearTimeout(timer)
      stopWarming()
      delivery.stop()
      endVisit()
      parts.store.close()
    },
  }
}

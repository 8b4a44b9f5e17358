import { createHosts } from '#web/visit/capture/analysis-host.ts'
import { createInstallation } from './installation.ts'
import type { Kiosk } from './kiosk.ts'
import { openParts } from './kiosk-parts.ts'
import { unknownFacts, viewOf } from './kiosk-view.ts'
import { type KioskWork, startKioskWork } from './kiosk-work.ts'
import { takeWindowLock } from './window-lock.ts'

/** Makes the kiosk of this window, and sets it to work once no other window is the kiosk. `origin`: its server's. */
export function createKiosk(origin: string = location.origin): Kiosk {
  const facts = unknownFacts()
  let letGo = () => {}
  let isClosed = false

  const begin = async (): Promise<KioskWork> => {
    letGo = await takeWindowLock(() => {
      facts.place.value = 'elsewhere'
    })
    if (isClosed) letGo()
    return startKioskWork(await openParts(facts, createHosts(), origin), createInstallation)
  }
  const working = begin()

  return {
    ...viewOf(facts),
    pair: async (code) => (await working).pair(code),
    sync: async () => (await working).sync(),
    retrySetAside: async () => (await working).retrySetAside(),
    unpair: async (typedName, loseWaiting) => (await working).unpair(typedName, loseWaiting),
    beginVisit: async () => (facts.place.value === 'here' ? (await working).beginVisit() : undefined),
    setPin: async (digits) => (await working).setPin(digits),
    checkPin: async (digits) => (await working).checkPin(digits),
    setInUse(inUse) {
      facts.inUse.value = inUse
    },
    close() {
      isClosed = true
      letGo()
      working.then((work) => work.close()).catch(() => {})
    },
  }
}

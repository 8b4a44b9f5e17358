import type { ReadonlySignal } from '@preact/signals'
import type { PairingDesk } from '#web/kiosk/staff/pairing-desk.ts'
import type { Installation } from './installation.ts'

const roundMilliseconds = 5 * 60_000
const lookAgainMilliseconds = 20_000

interface Options {
  readonly desk: Pick<PairingDesk, 'sync'>
  readonly installation: Pick<Installation, 'renew'>
  readonly send: () => Promise<void>
  readonly hasReserve: ReadonlySignal<boolean>
}

/** Makes the round of a kiosk: it syncs, looks for a new build and sends; each one sets the time of the next. */
export function createRounds({ desk, installation, send, hasReserve }: Options): () => Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const goRound = async () => {
    clearTimeout(timer)
    const isReached = await desk.sync()
    if (isReached) installation.renew().catch(() => {})
    if (isReached) await send()
    clearTimeout(timer) // of another round, that went on meanwhile
    // Room comes back some seconds after what was in it went.
    const isSettled = isReached && hasReserve.value
    timer = setTimeout(goRound, isSettled ? roundMilliseconds : lookAgainMilliseconds)
    return isReached
  }
  return goRound
}

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

/** Creates the kiosk's round: synchronise, check for a new build, send captures. Each round schedules the next one. */
export function createRounds({ desk, installation, send, hasReserve }: Options): () => Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const goRound = async () => {
    clearTimeout(timer)
    const isReached = await desk.sync()
    if (isReached) installation.renew().catch(() => {})
    if (isReached) await send()
    clearTimeout(timer) // set by a round that ran in the meantime
    // The disk takes a few seconds to report freed space.
    const isSettled = isReached && hasReserve.value
    timer = setTimeout(goRound, isSettled ? roundMilliseconds : lookAgainMilliseconds)
    return isReached
  }
  return goRound
}

import { setTimeout as pause } from 'node:timers/promises'
import { call } from '../../../shared/call.ts'
import { submitPictures } from '../../../shared/contract/sessions/session-pictures.ts'
import { Problem } from '../../../shared/problem.ts'

/** The sessions that hand in the same pictures at once. */
export interface HandingIn {
  readonly origin: string
  readonly tokens: readonly string[]
  /** Base64. */
  readonly frames: readonly string[]
  /** True if a session that finds the server full comes again when the answer asks it to. */
  readonly comesAgain: boolean
}

/** The number of answers of each kind. */
export interface HandedIn {
  readonly taken: number
  /** Answered with 503 and Retry-After. */
  readonly asked: number
  readonly failed: number
  readonly seconds: number
}

/** The sessions run in a separate process, so that they do not slow down the observers. */
process.once('message', (plan: HandingIn) => {
  void handIn(plan).then((done) => process.send!(done, () => process.disconnect()))
})

async function handIn({ origin, tokens, frames, comesAgain }: HandingIn): Promise<HandedIn> {
  const counts = { taken: 0, asked: 0, failed: 0 }
  const began = performance.now()
  const body = { step: 0, batch: 1, frames: frames.map((bytes, time) => ({ bytes, time })) }
  const send = async (bearer: string): Promise<void> => {
    try {
      await call(fetch, origin, submitPictures, { credential: { bearer }, body })
      counts.taken++
    } catch (error) {
      const seconds = error instanceof Problem && error.status === 503 ? error.retryAfterInSeconds : undefined
      if (seconds === undefined) counts.failed++
      else counts.asked++
      if (seconds === undefined || !comesAgain) return
      await pause(seconds * 1000 * (0.5 + Math.random()))
      await send(bearer)
    }
  }
  await Promise.all(tokens.map(send))
  return { ...counts, seconds: (performance.now() - began) / 1000 }
}

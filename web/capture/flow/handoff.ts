import type { getSession } from '#shared/contract/sessions/session.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { Handoff } from '#web/capture/machine/handoff-place.ts'
import type { Event } from '#web/capture/machine/state.ts'
import { isPassing } from '#web/capture/sending/retry.ts'
import type { SessionClient } from '#web/capture/sending/submit.ts'
import { steadyNow } from '#web/ui/steady-now.ts'
import { timeLeft } from './deadline.ts'
import { createFollower } from './follower.ts'
import { safeRedirect } from './link.ts'

/** How long a code lasts at most. */
const codeMilliseconds = 3 * 60_000

type FoundSession = ResultOf<typeof getSession>

/** The session's current holder, as far as this token is allowed to know; undefined if this device has lost the session. */
export function handoffOf({ handoff, state }: Pick<FoundSession, 'handoff' | 'state'>): Handoff | undefined {
  if (handoff === null) return { place: 'own', number: null, phase: 'taken', actionsDone: 0 }
  const { isHeldHere, number, actionsDone } = handoff
  if (!isHeldHere && number === null) return undefined
  const place = isHeldHere ? (number === null ? 'own' : 'guest') : 'follows'
  const phase = state === 'Created' ? 'taken' : state === 'Started' ? 'acting' : 'checking'
  return { place, number, phase, actionsDone }
}

interface Options {
  readonly send: (event: Event) => void
  readonly client: Pick<SessionClient, 'find' | 'createHandoff' | 'cancelHandoff' | 'serverTime'>
  readonly token: () => string
  readonly page: Document
}

/**
 * Creates the flow's hand-over side. [Note: Looks from before] While the session is being taken back, polling stops
 * and answers to earlier polls are ignored, because they would describe a device that no longer holds the session.
 */
export function createHandoffSide({ send, client, token, page }: Options) {
  let settled: Promise<void> = Promise.resolve()

  const follower = createFollower(async () => {
    const since = settled
    await since
    const found = await client.find(token()).catch(goneOrThrow)
    if (settled !== since) return true
    const event = found === undefined ? undefined : eventOf(found)
    if (event !== undefined) send(event)
    return event?.type === 'followed'
  }, page)

  return {
    async makeCode() {
      await settled
      try {
        const { code, url, expirationUtcTime } = await client.createHandoff(token())
        const lifetime = timeLeft(Date.parse(expirationUtcTime), client.serverTime(), codeMilliseconds)
        send({ type: 'codeMade', code: { code, url, expiresAt: steadyNow() + lifetime }, lifetime })
      } catch {
        send({ type: 'codeRefused' })
      }
    },
    cancel() {
      settled = client.cancelHandoff(token()).then(
        () => undefined,
        () => undefined, // the server's next answer shows where the session is
      )
      return settled
    },
    follow: () => follower.start(),
    stopFollowing: () => follower.stop(),
    /** Resolves once the session has been taken back. */
    settled: () => settled,
  }
}

/** Converts a polled session to an event for the page that follows it. */
function eventOf(found: FoundSession): Event {
  const { state, verificationResult, redirectUrl } = found
  if (state === 'Expired') return { type: 'expired' }
  if (verificationResult !== null) {
    return { type: 'verdict', passed: verificationResult === 'Pass', redirectUrl: safeRedirect(redirectUrl) }
  }
  const handoff = handoffOf(found)
  return handoff === undefined ? { type: 'elsewhere', handoff: null } : { type: 'followed', handoff }
}

/** Ignores errors caused by an invalid token. Other errors may be temporary. */
function goneOrThrow(error: unknown): undefined {
  if (error instanceof Problem && !isPassing(error)) return undefined
  throw error
}

import type { Nonces } from '#server/features/links/links.ts'
import { busy } from '#server/features/sessions/access.ts'
import { openedAgain } from '#server/features/sessions/handoff/holding.ts'
import { isOverdue, isUnjudged } from '#server/features/sessions/record.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import type { Started, StartSession } from './start.ts'

/** Secrets that the page generated to be able to open its link again. */
export interface Secrets {
  readonly openingId: string | undefined
  readonly resumeSecret: string | undefined
}

/** The verification that a link opens. A nonce that was used for one verification opens no other. */
export interface LinkPlace {
  readonly accountId: string
  readonly verificationId: string | null
}

/** Opens links whose nonce is already used, for the browser that used it. */
export interface Reopening {
  /**
   * [Note: A link survives its tab] The browser that opened a link first has a secret. With it the link opens again,
   * expired or not, until its session is over. Undefined without this secret, or for another verification; the usual
   * checks then apply.
   */
  resume(
    place: LinkPlace,
    nonce: string | undefined,
    secret: string | undefined,
  ): Promise<Started | undefined>
  /**
   * [Note: An answer may be lost] A page that lost its connection while its link was being opened never received the
   * token. It repeats the request with the secret that it generated, and gets the same session, as long as nothing was
   * submitted to it. For everyone else the link is used. @throws {Problem} 410
   */
  repeat(place: LinkPlace, nonce: string, secrets: Secrets): Promise<Started>
}

interface Dependencies {
  nonces: Nonces
  sessions: SessionStore
  startSession: StartSession
  now: Clock
}

export function createReopening({ nonces, sessions, startSession, now }: Dependencies): Reopening {
  return {
    async resume({ accountId, verificationId }, nonce, secret) {
      if (nonce === undefined || secret === undefined) return undefined
      const sessionId = await nonces.resumableSession(accountId, nonce, secret)
      if (sessionId === undefined) return undefined
      const resumed = await retryOnConflict(async () => {
        const read = await sessions.read(accountId, sessionId)
        if (read === undefined || read.value.outcome !== null || isOverdue(read.value, now())) return 'over'
        if (read.value.verificationId !== verificationId) return 'over'
        // While it is being judged, only the opener may learn the result, as after a reload.
        if (read.value.state === 'Submitted' && !isUnjudged(read.value, now())) return read.value
        const record = openedAgain(read.value)
        return (await sessions.replace(read, record)) ? record : undefined
      }, busy)
      return resumed === 'over' ? undefined : startSession.again(resumed)
    },
    async repeat({ accountId, verificationId }, nonce, { openingId }) {
      if (openingId === undefined) throw alreadyUsed()
      const sessionId = await nonces.sessionOf(accountId, nonce, openingId)
      const session = sessionId === undefined ? undefined : await sessions.read(accountId, sessionId)
      if (session?.value.state !== 'Created' || session.value.verificationId !== verificationId)
        throw alreadyUsed()
      return startSession.again(session.value)
    },
  }
}

function alreadyUsed(): Problem {
  return new Problem('link_already_used', 'This link has already been used.')
}

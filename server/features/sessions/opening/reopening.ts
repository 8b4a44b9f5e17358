import type { Nonces } from '#server/features/links/links.ts'
import { openedAgain, withTimeAgain } from '#server/features/sessions/access/holder.ts'
import { busy } from '#server/features/sessions/access/refusals.ts'
import type { EarlyPictures } from '#server/features/sessions/early-pictures/early-pictures.ts'
import { isOverdue, isUnjudged } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { beginTransaction } from '#server/platform/store/transaction.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import type { SessionOpening, StartSession } from './start.ts'

/** Secrets that the page generated so that it can open its link again. */
export interface LinkSecrets {
  readonly openingId: string | undefined
  readonly resumeSecret: string | undefined
}

/** The verification that a link opens. A nonce used for one verification does not open any other. */
export interface LinkPlace {
  readonly accountId: string
  readonly verificationId: string | null
}

/** Opens links with a used nonce, for the browser that used it. */
export interface SessionReopening {
  /**
   * [Note: A link survives its tab] The browser that first opened a link has a secret, which opens the link again, even after
   * it expired, until its session is over. Undefined without this secret, or for another verification; the usual checks then
   * apply.
   */
  resume(
    place: LinkPlace,
    nonce: string | undefined,
    secret: string | undefined,
  ): Promise<SessionOpening | undefined>
  /**
   * [Note: An answer may be lost] A page that lost its connection while opening its link never received the token. It repeats
   * the request with the secret that it generated, and gets the same session, as long as nothing has been submitted. For
   * everyone else, the link is used up. @throws {Problem} 410
   */
  repeat(place: LinkPlace, nonce: string, secrets: LinkSecrets): Promise<SessionOpening>
}

interface Dependencies {
  nonces: Nonces
  store: Pick<Store, 'commit'>
  sessions: SessionStore
  /** Removes the pictures that the earlier page sent before its step ended. */
  earlyPictures: Pick<EarlyPictures, 'drop'>
  startSession: StartSession
  now: Clock
}

export function createReopening(services: Dependencies): SessionReopening {
  const { nonces, store, sessions, earlyPictures, startSession, now } = services
  return {
    async resume({ accountId, verificationId }, nonce, secret) {
      if (nonce === undefined || secret === undefined) return undefined
      const sessionId = await nonces.resumableSession(accountId, nonce, secret)
      if (sessionId === undefined) return undefined
      const resumed = await retryOnConflict(async () => {
        const read = await sessions.read(accountId, sessionId)
        if (read === undefined || read.value.outcome !== null || isOverdue(read.value, now())) return 'over'
        if (read.value.verificationId !== verificationId) return 'over'
        // While the session is being judged, only the opener may learn the result, as after a reload.
        if (read.value.state === 'Submitted' && !isUnjudged(read.value, now())) return read.value
        const record = withTimeAgain(openedAgain(read.value), now())
        const transaction = beginTransaction(store)
        await earlyPictures.drop(transaction, record)
        sessions.save(transaction, read, record)
        return (await transaction.commit()) ? record : undefined
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

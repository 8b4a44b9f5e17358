import type { Nonces, SignedQuery } from '#server/features/links/links.ts'
import type { EarlyPictures } from '#server/features/sessions/early-pictures/early-pictures.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { Problem } from '#shared/problem.ts'
import type { CheckedLink } from './link-check.ts'
import { createReopening, type LinkPlace, type LinkSecrets } from './reopening.ts'
import {
  type SessionBeginning,
  type SessionOpening,
  type StartSession,
  sessionLifetimeInMilliseconds,
} from './start.ts'

interface Dependencies {
  readonly nonces: Nonces
  readonly store: Pick<Store, 'commit'>
  readonly sessions: SessionStore
  readonly earlyPictures: Pick<EarlyPictures, 'drop'>
  readonly startSession: StartSession
  readonly now: Clock
}

/** Opens a link's session, or opens it again. Checks secret, expiration and nonce, in this order. @throws {Problem} 410 */
export type OpenLink = (link: CheckedLink, secrets: LinkSecrets) => Promise<SessionOpening>

export function createOpenLink(services: Dependencies): OpenLink {
  const { nonces, startSession, now } = services
  const { resume, repeat } = createReopening(services)

  async function open(
    beginning: SessionBeginning,
    signed: SignedQuery | undefined,
    secrets: LinkSecrets,
  ): Promise<SessionOpening> {
    if (signed?.nonce === undefined) return (await startSession(beginning))!
    const { accountId } = beginning.account
    const { nonce } = signed
    const linkSeconds = signed.expiration! - now() / 1000
    const isResumable = secrets.resumeSecret !== undefined
    const secondsLeft = isResumable
      ? Math.max(linkSeconds, sessionLifetimeInMilliseconds / 1000)
      : linkSeconds
    const started = await startSession(beginning, (sessionId) => {
      const { write, guard } = nonces.consume(accountId, nonce, { sessionId, ...secrets, secondsLeft })
      return { writes: [write], guards: [guard] }
    })
    if (started !== undefined) return started
    const place: LinkPlace = { accountId, verificationId: beginning.verificationId }
    return (await resume(place, nonce, secrets.resumeSecret)) ?? repeat(place, nonce, secrets)
  }

  return async (link, secrets) => {
    const { account, verificationId, signed, isExpired, isUsed } = link
    const place: LinkPlace = { accountId: account.accountId, verificationId }
    if (isExpired || isUsed) {
      const resumed = await resume(place, signed!.nonce, secrets.resumeSecret)
      if (resumed !== undefined) return resumed
    }
    if (isExpired) throw new Problem('link_expired', 'This link has expired.')
    if (isUsed) return repeat(place, signed!.nonce!, secrets)
    return open(await link.beginning(), signed, secrets)
  }
}

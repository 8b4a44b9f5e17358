import type { AnonymousCaller } from '#server/features/callers/callers.ts'
import type { Nonces, SignedQuery } from '#server/features/links/links.ts'
import type { HandedInPictures } from '#server/features/sessions/early-pictures/early-pictures.ts'
import type { AskedLink } from '#server/features/sessions/opening/link-check.ts'
import { createReopening, type LinkPlace, type Secrets } from '#server/features/sessions/opening/reopening.ts'
import {
  type Beginning,
  type Started,
  type StartSession,
  sessionLifetimeInMilliseconds,
} from '#server/features/sessions/opening/start.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { initRedirectSession } from '#shared/contract/sessions/session.ts'
import type { readLink } from '#shared/contract/sessions/session-link.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

export type InitRedirectSession = Handler<typeof initRedirectSession, AnonymousCaller>

interface Dependencies {
  askedLink: AskedLink
  nonces: Nonces
  store: Pick<Store, 'commit'>
  sessions: SessionStore
  handedIn: Pick<HandedInPictures, 'drop'>
  startSession: StartSession
  now: Clock
}

/** Opens a link's session. Checks signature, secret, expiration and nonce, in this order; rule 9 of the interface is ours to fill. */
export function createInitRedirectSession(services: Dependencies): InitRedirectSession {
  const { askedLink, nonces, startSession, now } = services
  const { resume, repeat } = createReopening(services)

  async function open(
    beginning: Beginning,
    signed: SignedQuery | undefined,
    secrets: Secrets,
  ): Promise<Started> {
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

  return async ({ body, caller }) =>
    askedLink({ body, caller }, async ({ account, verificationId, signed, isExpired, isUsed, beginning }) => {
      const place: LinkPlace = { accountId: account.accountId, verificationId }
      const secrets: Secrets = { openingId: body.openingId, resumeSecret: body.resumeSecret }
      if (isExpired || isUsed) {
        const resumed = await resume(place, signed!.nonce, body.resumeSecret)
        if (resumed !== undefined) return resumed
      }
      if (isExpired) throw new Problem('link_expired', 'This link has expired.')
      if (isUsed) return repeat(place, signed!.nonce!, secrets)
      return open(await beginning(), signed, secrets)
    })
}

export type ReadLink = Handler<typeof readLink, AnonymousCaller>

/** [Note: Loading is no act] Programs open links before people do, so reading a link does not use it up. */
export function createReadLink({
  askedLink,
  startSession,
}: Pick<Dependencies, 'askedLink' | 'startSession'>): ReadLink {
  return async (call) =>
    askedLink(call, async ({ account, isExpired, isUsed, beginning }) => {
      const theme = startSession.themeOf(account)
      if (isExpired) return { state: 'Expired', theme, capturePlan: null }
      if (isUsed) return { state: 'NonceAlreadyUsed', theme, capturePlan: null }
      return { state: 'Valid', theme, capturePlan: await startSession.planOf(await beginning()) }
    })
}

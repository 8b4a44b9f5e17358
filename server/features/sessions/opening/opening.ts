import type { Accounts } from '#server/features/accounts/accounts.ts'
import { type Account, type AnonymousCaller, environmentOf } from '#server/features/callers/callers.ts'
import {
  decodedNames,
  type Nonces,
  outcomeInQuery,
  readLink,
  readQuery,
  resultOnlyNames,
  type Signatures,
  type SignedQuery,
} from '#server/features/links/links.ts'
import type { HandedInPictures } from '#server/features/sessions/handed-in/handed-in.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { initRedirectSession } from '#shared/contract/sessions/session.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { type Attempts, attemptKeys } from './attempts.ts'
import { createReopening, type LinkPlace, type Secrets } from './reopening.ts'
import { type Beginning, type Started, type StartSession, sessionLifetimeInMilliseconds } from './start.ts'
import type { Suspicions } from './suspicions.ts'
import { visitorIn } from './visitor.ts'

export type InitRedirectSession = Handler<typeof initRedirectSession, AnonymousCaller>

interface Dependencies {
  accounts: Accounts
  verifications: Verifications
  signatures: Signatures
  nonces: Nonces
  attempts: Attempts
  suspicions: Pick<Suspicions, 'check'>
  store: Pick<Store, 'commit'>
  sessions: SessionStore
  handedIn: Pick<HandedInPictures, 'drop'>
  startSession: StartSession
  now: Clock
}

/**
 * Opens the session of a link.
 * [Note: Who is asking] One that does not open says whose it is where its verification is known: the person needs somebody to ask.
 */
export function createInitRedirectSession(services: Dependencies): InitRedirectSession {
  const openFound = createOpenFound(services)
  return async (asked) => {
    const found = await findVerification(services, asked.body.verificationId)
    return openFound(found, asked).catch((error: unknown) => {
      throw error instanceof Problem
        ? error.saying({ theme: services.startSession.themeOf(found.account) })
        : error
    })
  }
}

type OpenFound = (found: Found, asked: Parameters<InitRedirectSession>[0]) => Promise<Started>

/** Signature, secret, expiration, nonce, in this order; rule 9 of the interface is ours to fill. */
function createOpenFound(services: Dependencies): OpenFound {
  const { attempts, suspicions, nonces, startSession, now } = services
  const { resume, repeat } = createReopening(services)

  return async ({ account, verificationId, configured }, { body, caller }) => {
    const query = readQuery(body.queryString)
    const place: LinkPlace = { accountId: account.accountId, verificationId }
    const secrets: Secrets = { openingId: body.openingId, resumeSecret: body.resumeSecret }
    const judged = await judgeLink(services, account, query, configured.verificationConfig)
    const { signed, isExpired, isUsed } = judged
    if (isExpired || isUsed) {
      const resumed = await resume(place, signed!.nonce, body.resumeSecret)
      if (resumed !== undefined) return resumed
    }
    if (isExpired) throw new Problem('link_expired', 'This link has expired.')
    if (isUsed) return repeat(place, signed!.nonce!, secrets)
    const { settings, inputs, ...link } = readLink(signed?.message ?? query, signed !== undefined, configured)
    refuseMoved(link.verificationId, verificationId)
    const { externalId } = inputs
    const { address } = caller
    const own = { link: `${verificationId}?${query}`, externalId }
    const keys = attemptKeys(account.accountId, { ...own, address })
    await attempts.check(keys, account.attemptLimit)
    // [Note: What is shared closes nobody out] An address is, and a link that nobody signed for one person.
    await suspicions.check(attemptKeys(account.accountId, signed === undefined ? { externalId } : own))
    const collectionId = verificationId
    const isTest = signed !== undefined && environmentOf(account) === 'test'
    const testOutcome = isTest ? outcomeInQuery(signed.message) : null
    const from = { account, address, verificationId, collectionId, settings, inputs, attemptKeys: keys }
    const beginning: Beginning = { ...from, testOutcome, source: 'link', ...visitorIn(caller) }
    return open(beginning, signed, secrets)
  }

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
}

async function findVerification({ accounts, verifications }: Dependencies, verificationId: string) {
  const accountId = await verifications.ownerOf(verificationId)
  const account = accountId === undefined ? undefined : await accounts.find(accountId)
  const verification = account && (await verifications.find(account.accountId, verificationId))
  if (account === undefined || verification === undefined) {
    throw new Problem('not_found', 'The verification does not exist.')
  }
  return { account, verificationId, configured: verification }
}

type Found = Awaited<ReturnType<typeof findVerification>>

interface Judged {
  readonly signed: SignedQuery | undefined
  readonly isExpired: boolean
  readonly isUsed: boolean
}

/** The parts of a link whose signature holds, or none for a link that needs none and has none. */
async function judgeLink(
  { signatures }: Dependencies,
  account: Account,
  query: string,
  config: VerificationConfig,
): Promise<Judged> {
  const names = decodedNames(query)
  if (names.some((name) => (resultOnlyNames as readonly string[]).includes(name))) throw unsigned()
  const claimsSignature = names.includes('reSignature')
  if (!claimsSignature) {
    if (config.securityConfig?.forceSignedInput !== false) throw unsigned()
    return { signed: undefined, isExpired: false, isUsed: false }
  }
  const judged = await signatures.judgeLink(account, query)
  const { state, parts: signed } = judged
  if (state === 'Invalid') throw unsigned()
  return { signed, isExpired: state === 'Expired', isUsed: state === 'NonceAlreadyUsed' }
}

/** [Note: A link belongs to its verification] A signed link must not be moved to a laxer configuration. */
function refuseMoved(meant: string | undefined, verificationId: string): void {
  if (meant !== undefined && meant !== verificationId) throw unsigned()
}

function unsigned(): Problem {
  return new Problem('signature_invalid', 'The link is not signed as required.')
}

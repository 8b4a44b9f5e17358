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
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { initRedirectSession } from '#shared/contract/sessions/session.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { type Attempts, attemptKeys } from './attempts.ts'
import type { Beginning, Started, StartSession } from './start.ts'
import type { Suspicions } from './suspicions.ts'

export type InitRedirectSession = Handler<typeof initRedirectSession, AnonymousCaller>

interface Dependencies {
  accounts: Accounts
  verifications: Verifications
  signatures: Signatures
  nonces: Nonces
  attempts: Attempts
  suspicions: Pick<Suspicions, 'check'>
  sessions: SessionStore
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

/** Signature, expiration, nonce, in this order; rule 9 of the interface is ours to fill. */
function createOpenFound(services: Dependencies): OpenFound {
  const { attempts, suspicions, nonces, sessions, startSession, now } = services

  return async ({ account, verificationId, configured }, { body, caller }) => {
    const query = readQuery(body.queryString)
    const openingId = body.openingId ?? undefined
    const { signed, isUsed } = await judgeLink(services, account, query, configured.verificationConfig)
    if (isUsed) return openAgain(account.accountId, signed!.nonce!, openingId)
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
    const from = { account, verificationId, collectionId, settings, inputs, attemptKeys: keys }
    const beginning: Beginning = { ...from, testOutcome, source: 'link' }
    return open(beginning, signed, openingId)
  }

  async function open(
    beginning: Beginning,
    signed: SignedQuery | undefined,
    openingId: string | undefined,
  ): Promise<Started> {
    if (signed?.nonce === undefined) return (await startSession(beginning))!
    const { accountId } = beginning.account
    const { nonce } = signed
    const secondsLeft = signed.expiration! - now() / 1000
    const started = await startSession(beginning, (sessionId) => {
      const { write, guard } = nonces.consume(accountId, nonce, { sessionId, openingId, secondsLeft })
      return { writes: [write], guards: [guard] }
    })
    return started ?? openAgain(accountId, nonce, openingId)
  }

  /**
   * [Note: An answer may be lost] A page whose network went away while its link was opened never saw the token. It asks
   * again with the secret that it made up, and gets the same session, as long as nothing was submitted to it. To anybody
   * else the link is used.
   */
  async function openAgain(
    accountId: string,
    nonce: string,
    openingId: string | undefined,
  ): Promise<Started> {
    if (openingId === undefined) throw alreadyUsed()
    const sessionId = await nonces.sessionOf(accountId, nonce, openingId)
    const session = sessionId === undefined ? undefined : await sessions.read(accountId, sessionId)
    if (session?.value.state !== 'Created') throw alreadyUsed()
    return startSession.again(session.value)
  }
}

async function findVerification({ accounts, verifications }: Dependencies, verificationId: string) {
  const accountId = await verifications.ownerOf(verificationId)
  const account = accountId === undefined ? undefined : await accounts.find(accountId)
  const verification = account && (await verifications.find(account.accountId, verificationId))
  if (account === undefined || verification === undefined) {
    throw new Problem('not_found', 'There is no such verification.')
  }
  return { account, verificationId, configured: verification }
}

type Found = Awaited<ReturnType<typeof findVerification>>

interface Judged {
  readonly signed: SignedQuery | undefined
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
    return { signed: undefined, isUsed: false }
  }
  const judged = await signatures.judgeLink(account, query)
  if (judged.state === 'Expired') throw new Problem('link_expired', 'This link has expired.')
  if (judged.state === 'Invalid') throw unsigned()
  return { signed: judged.parts, isUsed: judged.state === 'NonceAlreadyUsed' }
}

/** [Note: A link belongs to its verification] A signed link must not be moved to a laxer configuration. */
function refuseMoved(meant: string | undefined, verificationId: string): void {
  if (meant !== undefined && meant !== verificationId) throw unsigned()
}

function unsigned(): Problem {
  return new Problem('signature_invalid', 'The link is not signed as required.')
}

function alreadyUsed(): Problem {
  return new Problem('link_already_used', 'This link was already used.')
}

import type { Accounts } from '#server/features/accounts/accounts.ts'
import { type Account, type AnonymousCaller, environmentOf } from '#server/features/callers/callers.ts'
import {
  decodedNames,
  outcomeInQuery,
  readLink,
  readQuery,
  resultOnlyNames,
  type Signatures,
  type SignedQuery,
} from '#server/features/links/links.ts'
import { type Attempts, attemptKeys } from '#server/features/sessions/access/attempts.ts'
import type { Suspicions } from '#server/features/sessions/access/suspicions.ts'
import { visitorIn } from '#server/features/sessions/access/visitor.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { Problem } from '#shared/problem.ts'
import type { SessionBeginning, StartSession } from './start.ts'

interface Dependencies {
  readonly accounts: Accounts
  readonly verifications: Verifications
  readonly signatures: Signatures
  readonly attempts: Attempts
  readonly suspicions: Pick<Suspicions, 'check'>
  readonly startSession: Pick<StartSession, 'themeOf'>
}

/** A link as received. */
interface LinkCall {
  readonly body: { readonly verificationId: string; readonly queryString: string }
  readonly caller: AnonymousCaller
}

/** A link with a valid signature, or one that does not need a signature. */
export interface CheckedLink {
  readonly account: Account
  readonly verificationId: string
  /** Undefined for an unsigned link. */
  readonly signed: SignedQuery | undefined
  readonly isExpired: boolean
  readonly isUsed: boolean
  /**
   * Reads the link's request, and checks whether there were too many failures before it. Writes nothing.
   * @throws {Problem} 400, 401 if the link belongs to another verification, 429
   */
  beginning(): Promise<SessionBeginning>
}

/** Validates a link and passes it on. @throws {Problem} 401 or 404; the error names the link's owner if known */
export type CheckLink = <T>(call: LinkCall, use: (link: CheckedLink) => Promise<T>) => Promise<T>

/**
 * Creates the checks that a link goes through wherever it is read.
 * [Note: Who is asking] If a link does not open, the page names its sender when known, so that the person can ask for a new one.
 */
export function createCheckLink(services: Dependencies): CheckLink {
  return async (call, use) => {
    const found = await findVerification(services, call.body.verificationId)
    try {
      return await use(await checkSignature(services, found, call))
    } catch (error) {
      throw error instanceof Problem
        ? error.saying({ theme: services.startSession.themeOf(found.account) })
        : error
    }
  }
}

async function checkSignature(
  services: Dependencies,
  found: LinkOwner,
  { body, caller }: LinkCall,
): Promise<CheckedLink> {
  const { account, verificationId, configured } = found
  const query = readQuery(body.queryString)
  const link = await judgeLink(services, account, query, configured.verificationConfig)
  return {
    account,
    verificationId,
    ...link,
    beginning: () => readBeginning(services, found, { query, signed: link.signed }, caller),
  }
}

async function readBeginning(
  { attempts, suspicions }: Dependencies,
  { account, verificationId, configured }: LinkOwner,
  { query, signed }: { readonly query: string; readonly signed: SignedQuery | undefined },
  caller: AnonymousCaller,
): Promise<SessionBeginning> {
  const { settings, inputs, ...link } = readLink(signed?.message ?? query, signed !== undefined, configured)
  refuseMoved(link.verificationId, verificationId)
  const { externalId } = inputs
  const { address } = caller
  const own = { link: `${verificationId}?${query}`, externalId }
  const keys = attemptKeys(account.accountId, { ...own, address })
  await attempts.check(keys, account.attemptLimit)
  // [Note: Shared keys close no one out] Many people share an address or an unsigned link.
  await suspicions.check(attemptKeys(account.accountId, signed === undefined ? { externalId } : own))
  const collectionId = verificationId
  const isTest = signed !== undefined && environmentOf(account) === 'test'
  const testOutcome = isTest ? outcomeInQuery(signed.message) : null
  const from = { account, address, verificationId, collectionId, settings, inputs, attemptKeys: keys }
  return { ...from, testOutcome, source: 'link', ...visitorIn(caller) }
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

type LinkOwner = Awaited<ReturnType<typeof findVerification>>

/** The state of a link's signature. */
interface LinkSignature {
  readonly signed: SignedQuery | undefined
  readonly isExpired: boolean
  readonly isUsed: boolean
}

/** Checks a link's signature. The result is empty for an unsigned link that does not need one. */
async function judgeLink(
  { signatures }: Dependencies,
  account: Account,
  query: string,
  config: VerificationConfig,
): Promise<LinkSignature> {
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

/** [Note: A link belongs to its verification] A signed link must not be moved to a more lenient configuration. */
function refuseMoved(meant: string | undefined, verificationId: string): void {
  if (meant !== undefined && meant !== verificationId) throw unsigned()
}

function unsigned(): Problem {
  return new Problem('signature_invalid', 'The link is not signed as required.')
}

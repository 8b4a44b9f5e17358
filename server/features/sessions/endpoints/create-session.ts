import { policyVersion } from '#models/rules/liveness/policy.ts'
import type { Pack } from '#models/rules/packs.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { AnalyseImage } from '#server/features/analysis/analysis.ts'
import { type Account, type AccountCaller, answerFor } from '#server/features/callers/callers.ts'
import {
  type ConfiguredVerification,
  isReserved,
  type SessionInputs,
  type SessionSettings,
  sessionConsequences,
  settingsOf,
} from '#server/features/links/links.ts'
import { faultsOfPack, refuseFaults } from '#server/features/packs/packs.ts'
import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import { type Attempts, attemptKeys } from '#server/features/sessions/access/attempts.ts'
import { faceRecognitionOf } from '#server/features/sessions/access/session-rules.ts'
import type { Suspicions } from '#server/features/sessions/access/suspicions.ts'
import {
  createReadReference,
  faultsOfReference,
} from '#server/features/sessions/opening/reference-picture.ts'
import type { StartSession } from '#server/features/sessions/opening/start.ts'
import { refuseLive } from '#server/features/sessions/testing/test-session.ts'
import {
  faultsOfDenied,
  faultsOfReach,
  type Verifications,
} from '#server/features/verifications/verifications.ts'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import { queryStringMaximum } from '#shared/contract/configuration/signature.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { createSession } from '#shared/contract/sessions/session-creation.ts'
import type { BodyOf, Handler } from '#shared/endpoint.ts'
import { type Fault, Problem, pointerToken } from '#shared/problem.ts'

export type CreateSession = Handler<typeof createSession, AccountCaller>
type Body = BodyOf<typeof createSession>

interface Dependencies {
  accounts: Accounts
  verifications: Verifications
  attempts: Attempts
  suspicions: Pick<Suspicions, 'check'>
  startSession: StartSession
  pack: Pack
  passkeyRoots: TrustedRoots | undefined
  access: Pick<CollectionAccess, 'find'>
  analyseImage: AnalyseImage
  /** This server's public origin. */
  origin: () => string
}

/**
 * Creates a session for a person the integrator knows, without a link. [Note: Ad hoc sessions] With verifierConfigs only,
 * the session has no verification: it uses the given addresses without result parameters, sends no webhook, and stores
 * faces in the named collection.
 */
export function createCreateSession(services: Dependencies): CreateSession {
  const { accounts, verifications, attempts, suspicions, startSession, access, origin } = services
  const readReference = createReadReference(services.analyseImage, services.pack)

  async function configuredBy(
    accountId: string,
    verificationId: string | null,
  ): Promise<ConfiguredVerification> {
    if (verificationId === null) return { verificationConfig: {}, policyVersion, writtenUnder: policyVersion }
    const verification = await verifications.find(accountId, verificationId)
    if (verification === undefined) throw new Problem('not_found', 'The verification does not exist.')
    return verification
  }

  async function findAccount(accountId: string): Promise<Account> {
    const account = await accounts.find(accountId)
    if (account === undefined) throw new Problem('forbidden', 'The account does not exist.')
    return account
  }

  /** A verification always has a collection. If it was deleted, the next face creates it again. */
  async function refuseUnknown(accountId: string, collectionId: string | null): Promise<void> {
    if (collectionId === null || (await access.find(accountId, collectionId)) !== undefined) return
    if ((await verifications.find(accountId, collectionId)) !== undefined) return
    throw new Problem('not_found', 'The collection does not exist.')
  }

  return async ({ body, caller }) => {
    const { accountId } = caller
    if (caller.via === 'operator') answerFor(caller, sessionConsequences(body))
    refuseNames(body)
    refuseFaults(await faultsOfVerifiers(services, accountId, body))
    const account = await findAccount(accountId)
    if (body.testOutcome !== undefined) refuseLive(account, '#/testOutcome')
    const verificationId = body.verificationId ?? null
    const collectionId = body.collectionId ?? verificationId
    const configured = await configuredBy(accountId, verificationId)
    if (verificationId !== null) refuseForbidden(body, configured.verificationConfig)
    await refuseUnknown(accountId, body.collectionId ?? null)
    const settings = settingsFor(body, configured)
    refuseFaults(faultsOfCollection(collectionId, settings))
    refuseFaults(faultsOfReference(body.referenceImage, settings))
    const inputs = inputsOf(body)
    const keys = attemptKeys(accountId, { externalId: inputs.externalId })
    await attempts.check(keys, account.attemptLimit)
    await suspicions.check(keys)
    const reference = body.referenceImage && (await readReference(body.referenceImage, caller))
    const started = await startSession({
      account,
      verificationId,
      collectionId,
      settings,
      inputs,
      attemptKeys: keys,
      source: 'api',
      testOutcome: body.testOutcome ?? null,
      ...(reference && { reference }),
    })
    const { verificationSessionId, sessionToken } = started!
    const captureUrl = `${origin()}/verification/session/${verificationSessionId}#${sessionToken}`
    return { ...started!, captureUrl }
  }
}

/** Verifiers in the request body that this deployment does not support. */
async function faultsOfVerifiers(
  { pack, passkeyRoots, access }: Pick<Dependencies, 'pack' | 'passkeyRoots' | 'access'>,
  accountId: string,
  { verifierConfigs }: Body,
): Promise<Fault[]> {
  const pointer = '#/verifierConfigs'
  return [
    ...faultsOfPack(pack, verifierConfigs, pointer),
    ...faultsOfReach(passkeyRoots, verifierConfigs ?? undefined, pointer),
    ...(await faultsOfDenied(access, accountId, verifierConfigs ?? undefined, pointer)),
  ]
}

function faultsOfCollection(collectionId: string | null, { verifiers }: SessionSettings): Fault[] {
  if (collectionId !== null || faceRecognitionOf(verifiers) === 'Disabled') return []
  const message = 'Is required if faces are recognised without a verification.'
  return [{ pointer: '#/collectionId', message }]
}

/** The body takes precedence over the configuration. Each verifier is replaced as a whole. */
function settingsFor(body: Body, configured: ConfiguredVerification): SessionSettings {
  const settings = settingsOf(configured, new Map())
  const given = Object.entries(body.verifierConfigs ?? {}).filter(([, verifier]) => verifier !== null)
  return {
    ...settings,
    ...(body.verifierConfigs?.liveness && { writtenUnder: policyVersion }),
    verifiers: { ...settings.verifiers, ...Object.fromEntries(given) },
    passedUrl: body.passedUrl ?? settings.passedUrl,
    failedUrl: body.failedUrl ?? settings.failedUrl,
  }
}

function inputsOf(body: Body): SessionInputs {
  return {
    externalId: body.externalId ?? null,
    correlationId: body.correlationId ?? null,
    locale: null,
    enroll: true,
    custom: Object.entries(body.customInputParameters ?? {}),
  }
}

/** The verification must allow overrides. @throws {Problem} 403 */
function refuseForbidden(body: Body, { sessionOverrideConfig }: VerificationConfig): void {
  const given = (value: unknown) => value !== undefined && value !== null
  if (given(body.verifierConfigs) && sessionOverrideConfig?.allowVerifierOverrides !== true)
    throw new Problem('forbidden', 'The verification does not allow its verifiers to be overridden.')
  const redirects = given(body.passedUrl) || given(body.failedUrl)
  if (redirects && sessionOverrideConfig?.allowRedirectOverrides !== true)
    throw new Problem('forbidden', 'The verification does not allow its addresses to be overridden.')
}

/** Custom parameters follow the same rules as in a link: no reserved-looking names, and all of them must fit into a query. */
function refuseNames({ customInputParameters = {} }: Body): void {
  if (isTooLong(customInputParameters)) {
    const message = `Must have at most ${queryStringMaximum} characters as a query string.`
    refuseFaults([{ pointer: '#/customInputParameters', message }])
  }
  const names = Object.keys(customInputParameters)
  const errors = names.flatMap((name): Fault[] => {
    const pointer = `#/customInputParameters/${pointerToken(name)}`
    if (name === '') return [{ pointer, message: 'Must have a name.' }]
    const isOurs = isReserved(name)
    return isOurs
      ? [{ pointer, message: 'Must not be a reserved name (re followed by an upper-case letter).' }]
      : []
  })
  refuseFaults(errors)
}

/** Percent-encoding never shortens a string, so a long one is refused without encoding it. */
function isTooLong(parameters: Readonly<Record<string, string>>): boolean {
  const least = Object.entries(parameters).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return least > queryStringMaximum || new URLSearchParams(parameters).toString().length > queryStringMaximum
}

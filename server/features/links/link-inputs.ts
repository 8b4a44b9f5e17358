import { alternativeOf, historyOf, keepsOf, privacyOf, triesOf } from '#models/rules/challenge/plan.ts'
import type { VerificationDetail } from '#shared/contract/configuration/verification.ts'
import {
  type ResultFlag,
  resultFlags,
  type VerificationConfig,
} from '#shared/contract/configuration/verification-config.ts'
import { canonicalIdentity, codePointsOf, isIdentityText } from '#shared/identity/identity-text.ts'
import { type Fault, Problem } from '#shared/problem.ts'
import { addressFault } from '#shared/web-address.ts'
import type { SessionInputs, SessionSettings } from './asked.ts'
import { includeName, inputNames, isReserved, overrideNames, unsignedNames } from './reserved-names.ts'

const maximumInputLength = 512
const single = new Set<string>([...inputNames, ...overrideNames, ...resultFlags.map(includeName)])

/** The parts of a verification that determine a session. */
export type ConfiguredVerification = Pick<
  VerificationDetail,
  'verificationConfig' | 'policyVersion' | 'writtenUnder'
>

/** A link's inputs, parsed from its canonical query. */
export interface LinkInputs {
  readonly verificationId: string | undefined
  readonly inputs: SessionInputs
  readonly settings: SessionSettings
}

/**
 * Parses a link. Overrides apply only if the configuration allows them. [Note: Unsigned links decide nothing] In an
 * unsigned link only language, correlation id and custom names apply; everything else is ignored.
 */
export function readLink(query: string, signed: boolean, configured: ConfiguredVerification): LinkInputs {
  const all = [...new URLSearchParams(`?${query}`)]
  const parameters = all.filter(([name]) => signed || !isReserved(name) || unsignedNames.has(name))
  refuseFaults(parameters)
  const given = new Map(parameters.filter(([name]) => isReserved(name)))
  return {
    verificationId: given.get('reVerificationId'),
    inputs: {
      externalId: canonicalIdentity(given.get('reExternalId') ?? '') || null,
      correlationId: given.get('reCorrelationId') ?? null,
      locale: given.get('reLocale') ?? null,
      enroll: given.get('reEnroll') !== 'false',
      custom: parameters.filter(([name]) => !isReserved(name)),
    },
    settings: settingsOf(configured, given),
  }
}

/** A configuration's settings, with the link's overrides applied. */
export function settingsOf(
  { verificationConfig: config, policyVersion, writtenUnder }: ConfiguredVerification,
  overrides: ReadonlyMap<string, string>,
): SessionSettings {
  const allowed = config.sessionOverrideConfig ?? {}
  const redirects = allowed.allowRedirectOverrides === true ? overrides : new Map<string, string>()
  return {
    madeUnder: policyVersion,
    writtenUnder,
    verifiers:
      allowed.allowVerifierOverrides === true
        ? withoutDisabled(config, overrides)
        : (config.verifierConfigs ?? {}),
    include: includes(config, allowed.allowResultParameterOverrides === true ? overrides : new Map()),
    passedUrl: addressOf(redirects, 'rePassedUrl') ?? config.redirectConfig?.passedUrl ?? null,
    failedUrl: addressOf(redirects, 'reFailedUrl') ?? config.redirectConfig?.failedUrl ?? null,
    callbackUrl: config.webhookConfig?.eventCallbackUrl ?? null,
    attempts: triesOf(config),
    ...alternativeOf(config),
    ...privacyOf(config),
    ...historyOf(config),
    ...keepsOf(config),
  }
}

function withoutDisabled(config: VerificationConfig, overrides: ReadonlyMap<string, string>) {
  const disabled = { type: 'Disabled' as const }
  const isOff = (name: string) => overrides.get(`reDisable${name}Verifier`) === 'true'
  return {
    ...config.verifierConfigs,
    ...(isOff('Liveness') ? { liveness: disabled } : {}),
    ...(isOff('Age') ? { age: disabled } : {}),
    ...(isOff('Gender') ? { gender: disabled } : {}),
    ...(isOff('FaceRecognition') ? { faceRecognition: disabled } : {}),
  }
}

function includes(config: VerificationConfig, overrides: ReadonlyMap<string, string>) {
  const include: Partial<Record<ResultFlag, boolean>> = {}
  for (const flag of resultFlags) {
    const override = overrides.get(includeName(flag))
    const configured = config.resultParameterConfig?.[flag] ?? false
    include[flag] = override === 'true' || override === 'false' ? override === 'true' : configured
  }
  return include
}

function addressOf(overrides: ReadonlyMap<string, string>, name: string): string | undefined {
  const address = overrides.get(name)
  const fault = address === undefined ? undefined : addressFault(address)
  if (fault !== undefined) throw refused([{ pointer: '#/queryString', message: `${name}: ${fault}` }])
  return address
}

function refuseFaults(parameters: readonly (readonly [string, string])[]): void {
  const names = parameters.map(([name]) => name)
  const messages = [
    ...(names.some((name, i) => single.has(name) && names.indexOf(name) !== i)
      ? ['Must not carry a reserved parameter twice.']
      : []),
    ...(parameters.some(([name, value]) => single.has(name) && isTooLong(name, value))
      ? [`A reserved parameter must have at most ${maximumInputLength} characters.`]
      : []),
    ...(hasUnfitIdentity(parameters) ? [unfitIdentity] : []),
  ]
  if (messages.length > 0) throw refused(messages.map((message) => ({ pointer: '#/queryString', message })))
}

function isTooLong(name: string, value: string): boolean {
  return !name.endsWith('Url') && codePointsOf(canonicalIdentity(value)) > maximumInputLength
}

const identityNames: ReadonlySet<string> = new Set(['reExternalId', 'reCorrelationId'])

/** The error for a link with control characters in its external or correlation ID. */
export const unfitIdentity = 'reExternalId and reCorrelationId must have no control character.'

/** True if a link's external or correlation ID is not a valid name. */
export function hasUnfitIdentity(parameters: Iterable<readonly [string, string]>): boolean {
  return [...parameters].some(([name, value]) => identityNames.has(name) && !isIdentityText(value))
}

function refused(errors: Fault[]): Problem {
  return new Problem('invalid_request', 'The link is invalid; see errors.', { errors })
}

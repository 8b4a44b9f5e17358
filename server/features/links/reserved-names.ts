import type { ResultFlag } from '#shared/contract/configuration/verification-config.ts'

/** The parameters that a signature appends, in this order. */
export const securityNames = ['reExpiration', 'reNonce', 'reSignature'] as const

export const inputNames = [
  'reVerificationId',
  'reExternalId',
  'reCorrelationId',
  'reLocale',
  'reEnroll',
] as const

export const overrideNames = [
  'reDisableLivenessVerifier',
  'reDisableAgeVerifier',
  'reDisableGenderVerifier',
  'reDisableFaceRecognitionVerifier',
  'rePassedUrl',
  'reFailedUrl',
] as const

/** `includeAge` is overridden by `reIncludeAge`, and so on. */
export function includeName(flag: ResultFlag): string {
  return `reInclude${flag.slice('include'.length)}`
}

/** Names that appear only in a result. A link that uses one could pose as a result. */
export const resultOnlyNames = [
  'reVerificationSessionId',
  'reVerificationResult',
  'reLivenessResult',
  'reFaceRecognitionResult',
  'reAgeVerificationResult',
  'reGenderVerificationResult',
  'reFaceId',
  'reAge',
  'reGender',
  'reTotalFaceCount',
  'reFailedReason',
  'reAssurance',
  'reCompletedAt',
  'reResultId',
] as const

/** The reserved names that take effect in an unsigned link. */
export const unsignedNames: ReadonlySet<string> = new Set(['reVerificationId', 'reCorrelationId', 'reLocale'])

/** Every reserved name begins with `re` and an upper-case letter; `ref`, `region` and `resignature` are custom names. */
export function isReserved(name: string): boolean {
  return /^re[A-Z]/.test(name)
}

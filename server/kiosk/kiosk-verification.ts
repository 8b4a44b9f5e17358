import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { Fault } from '#shared/problem.ts'

const needingExternalId = new Set(['MatchVerification', 'UniqueMatchVerification'])

/**
 * Why nobody could ever pass a verification at a kiosk; nothing where somebody could. The word that programs look for
 * stands first.
 */
export function faultsAtKiosks({ verifierConfigs }: VerificationConfig): Fault[] {
  const type = verifierConfigs?.faceRecognition?.type ?? 'Disabled'
  if (!needingExternalId.has(type)) return []
  const message = `externalIdMissing: ${type} compares with the face of an external id, and a kiosk has none. Must be a verification whose faceRecognition is of another type.`
  return [{ pointer: '#/verificationId', message }]
}

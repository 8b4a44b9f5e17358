import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { Fault } from '#shared/problem.ts'

/**
 * Collections of faces that must not pass and that do not exist. [Note: A missing list denies no one] Writes may not
 * name them. One that is deleted later is skipped, and its sessions have a finding.
 */
export async function faultsOfDenied(
  access: Pick<CollectionAccess, 'find'>,
  accountId: string,
  verifiers: VerificationConfig['verifierConfigs'],
  pointer: string,
): Promise<Fault[]> {
  const ids = verifiers?.faceRecognition?.denyCollectionIds ?? []
  const found = await Promise.all(ids.map((id) => access.find(accountId, id)))
  return ids.flatMap((_, i) =>
    found[i] === undefined
      ? [
          {
            pointer: `${pointer}/faceRecognition/denyCollectionIds/${i}`,
            message: 'Must be a collection of the account.',
          },
        ]
      : [],
  )
}

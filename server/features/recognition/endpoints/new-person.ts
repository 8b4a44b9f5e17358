import type { FaceStore } from '#server/features/recognition/store/face-store.ts'
import { refuseUnfitName } from '#server/platform/http/requests/new-name.ts'
import { identityForms } from '#shared/identity/identity-text.ts'
import { newNameFault } from '#shared/identity/new-name.ts'

/**
 * Refuses an external ID that is not valid as a new name, unless the account already has a face for this person.
 * @throws {Problem} 400
 */
export async function refuseUnfitPerson(
  faceStore: Pick<FaceStore, 'ofExternalId'>,
  accountId: string,
  externalId: string | null | undefined,
  pointer: string,
): Promise<void> {
  if (!externalId || newNameFault(externalId) === undefined) return
  if (await hasFaces(faceStore, accountId, externalId)) return
  refuseUnfitName(pointer, externalId)
}

/** True if the account has a face with this external ID, in any of its forms. */
async function hasFaces(
  faceStore: Pick<FaceStore, 'ofExternalId'>,
  accountId: string,
  externalId: string,
): Promise<boolean> {
  for (const form of identityForms(externalId))
    for await (const _face of faceStore.ofExternalId(accountId, form)) return true
  return false
}

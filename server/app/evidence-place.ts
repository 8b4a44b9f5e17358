import { join } from 'node:path'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import { createFolderBlobs } from '#server/platform/store/blobs/folder-blobs.ts'
import type { Settings } from './settings.ts'

/**
 * The storage for review pictures: the store's server if it has room for them, otherwise a folder.
 * [Note: A deployment has a folder of its own in it] Pictures that no record of the store refers to are removed from this
 * folder, so another deployment with the same EVIDENCE_DIR needs a different one.
 */
export function evidencePlace(
  { upkeep }: Pick<Settings, 'upkeep'>,
  keyRing: KeyRing,
  ofServer: Blobs | undefined,
): Blobs {
  const own = keyRing.derive('evidence-folder').toString('hex').slice(0, 16)
  return ofServer ?? createFolderBlobs(join(upkeep.evidenceDir, own))
}

/** The startup line; undefined if the pictures are on the store's server. */
export function evidenceWords(
  { upkeep, storeAddress }: Pick<Settings, 'upkeep' | 'storeAddress'>,
  ofServer: Blobs | undefined,
): string | undefined {
  if (ofServer !== undefined) return undefined
  const shared =
    ' Every process of this store must share this folder (EVIDENCE_DIR), unless there is only one process.'
  return `Pictures for reviews, if a verification keeps them: ${upkeep.evidenceDir}.${storeAddress === undefined ? '' : shared}`
}

import { join } from 'node:path'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import { createFolderBlobs } from '#server/platform/store/blobs/folder-blobs.ts'
import type { Settings } from './settings.ts'

/**
 * Where pictures lie that are kept for a review: where the store's server has no place for them, in a folder. [Note: A deployment has a folder of
 * its own in it] Whatever no record of the store knows is removed there: what another one put into the same EVIDENCE_DIR must be elsewhere.
 */
export function evidencePlace(
  { upkeep }: Pick<Settings, 'upkeep'>,
  keyRing: KeyRing,
  ofServer: Blobs | undefined,
): Blobs {
  const own = keyRing.derive('evidence-folder').toString('hex').slice(0, 16)
  return ofServer ?? createFolderBlobs(join(upkeep.evidenceDir, own))
}

/** Said at the start; undefined where it is the place of the store's server. */
export function evidenceWords(
  { upkeep, storeAddress }: Pick<Settings, 'upkeep' | 'storeAddress'>,
  ofServer: Blobs | undefined,
): string | undefined {
  if (ofServer !== undefined) return undefined
  const shared =
    ' Every process of this store must have this very folder (EVIDENCE_DIR), or there must be one process.'
  return `Pictures for reviews, where a verification has them kept: ${upkeep.evidenceDir}.${storeAddress === undefined ? '' : shared}`
}

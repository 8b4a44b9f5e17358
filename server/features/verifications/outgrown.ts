import { mostDistinguishable } from '#models/rules/search-threshold.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import type { VerificationStore } from './verification-store.ts'

/**
 * A verification that refuses known people, or a collection in which search-or-index does, with more faces than the networks
 * can distinguish.
 */
export type OutgrownSearch = {
  readonly accountId: string
  /** How many faces the networks can distinguish. */
  readonly most: number
} & ({ readonly verificationId: string; readonly name: string } | { readonly collectionId: string })

const refusing: readonly (string | undefined)[] = ['DuplicateVerification', 'UniqueMatchVerification']

/** All of these verifications and collections, in every account. Stops counting faces once the limit is exceeded. */
export async function findOutgrown(
  accounts: Pick<Accounts, 'list'>,
  verifications: Pick<VerificationStore, 'listReadable'>,
  access: Pick<CollectionAccess, 'find' | 'listReadable' | 'faceStore'>,
  model: string,
): Promise<OutgrownSearch[]> {
  const most = mostDistinguishable(model)
  const found: OutgrownSearch[] = []
  for (const { accountId } of await accounts.list()) {
    const isLarge = (collectionId: string) => hasMoreThan(most, access, accountId, collectionId)
    const ofVerifications = new Set<string>()
    for await (const { verificationId, name, verificationConfig } of verifications.listReadable(accountId)) {
      ofVerifications.add(verificationId)
      if (!refusing.includes(verificationConfig.verifierConfigs?.faceRecognition?.type)) continue
      if (await isLarge(verificationId)) found.push({ accountId, verificationId, name, most })
    }
    for await (const { collectionId } of access.listReadable(accountId))
      if (!ofVerifications.has(collectionId) && (await isLarge(collectionId)))
        found.push({ accountId, collectionId, most })
  }
  return found
}

async function hasMoreThan(
  most: number,
  { find, faceStore }: Pick<CollectionAccess, 'find' | 'faceStore'>,
  accountId: string,
  collectionId: string,
): Promise<boolean> {
  const record = await find(accountId, collectionId)
  if (record === undefined || record.revision === 0) return false
  let count = 0
  for await (const _head of faceStore.heads({ accountId, collectionId, galleryId: record.galleryId }))
    if (++count > most) return true
  return false
}

import { embeddingModel } from '../../../models/rules/embedding.ts'
import type { CollectionAccess } from '../../../server/features/recognition/recognition.ts'
import { accountId, collectionId } from './filled-servers.ts'

/** Does what `search-or-index` does after a picture has been analysed. Returns true if the face was kept. */
export async function searchOrIndex(access: CollectionAccess, embedding: Float32Array): Promise<boolean> {
  await access.ahead(accountId, collectionId, (collection) => collection.closest({ first: embedding }, 80))
  return access.change(accountId, collectionId, async (collection) => {
    if ((await collection.closest({ first: embedding }, 80)) !== undefined) return { answer: false }
    return { answer: true, change: collection.add({ externalId: null, embeddingModel, embedding }) }
  })
}

import { embeddingModel } from '../../../models/rules/embedding.ts'
import type { CollectionAccess, Decision } from '../../../server/features/recognition/recognition.ts'
import { accountId, collectionId } from './filled-servers.ts'

/** Does what `search-or-index` does after a picture has been analysed. Returns true if the face was kept. */
export async function searchOrIndex(access: CollectionAccess, embedding: Float32Array): Promise<boolean> {
  const decide = await access.ahead<Decision<boolean>>(
    accountId,
    collectionId,
    async (collection, writer) => {
      if ((await collection.closest({ first: embedding }, 80)) !== undefined) return { answer: false }
      return { answer: true, change: writer.add({ externalId: null, embeddingModel, embedding }) }
    },
  )
  return access.change(accountId, collectionId, decide)
}

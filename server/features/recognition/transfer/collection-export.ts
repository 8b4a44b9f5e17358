import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import { noCollection } from '#server/features/recognition/collections/no-collection.ts'
import { inBatches } from '#server/platform/running/in-batches.ts'
import { FileFault } from '#server/platform/sealed-files/file-fault.ts'
import { writeSealedFile } from '#server/platform/sealed-files/sealed-file.ts'
import { batchBytes, type ExportEnd, type ExportedCollection, facesAtOnce } from './face-batches.ts'

interface CollectionExport {
  readonly accountId: string
  readonly collectionId: string
  readonly path: string
  readonly passphrase: string
}

/**
 * Writes a collection's faces to a new file, in batches, and returns how many. Faces added or removed in the meantime may or
 * may not be included.
 * @throws {Problem} not_found; {FileFault} if the file exists, or the collection is deleted in the meantime
 */
export async function exportCollection(
  access: CollectionAccess,
  { accountId, collectionId, path, passphrase }: CollectionExport,
): Promise<number> {
  const opened = await access.read(accountId, collectionId, async (collection) => collection)
  if (!opened.exists) throw noCollection()
  let faceCount = 0
  await writeSealedFile(path, passphrase, async (chunk) => {
    const { description, embeddingModel = null, secondModel } = opened.record
    const exportedAt = new Date().toISOString()
    const isRenewed = opened.models.formerModel !== undefined
    const schema = isRenewed ? 3 : secondModel === undefined ? 1 : 2
    const about = { schema, collectionId, description, embeddingModel, exportedAt } as const
    const head: ExportedCollection = { ...about, ...(secondModel !== undefined && { secondModel }) }
    await chunk(json(head))
    for await (const batch of inBatches(opened.list(), facesAtOnce)) {
      faceCount += batch.length
      await chunk(batchBytes(batch, schema))
    }
    const record = await access.find(accountId, collectionId)
    if (record?.galleryId !== opened.record.galleryId)
      throw new FileFault('The collection was deleted during the export.')
    return json({ faceCount } satisfies ExportEnd)
  })
  return faceCount
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import type { EnrolledFace } from '#server/features/recognition/store/face.ts'
import { FileFault } from '#server/platform/sealed-files/file-fault.ts'
import { openSealedFile, type SealedFile } from '#server/platform/sealed-files/sealed-file.ts'
import { type ExportEnd, type ExportedCollection, readBatch } from './face-batches.ts'

interface CollectionImport {
  readonly accountId: string
  /** The target collection; defaults to the original ID's collection. */
  readonly collectionId: string | undefined
  readonly path: string
  readonly passphrase: string
}

/** An import's result. */
export interface ImportResult {
  readonly collectionId: string
  readonly isNew: boolean
  readonly restoredCount: number
  /** How many faces had IDs that already existed. */
  readonly skippedCount: number
  /** How many faces were imported without the file's second embedding, because the collection stores one per face. */
  readonly strippedCount: number
}

/**
 * Imports a file's faces into a collection, in batches. Skips faces with existing IDs, so that an interrupted import can be
 * repeated. [Note: Read twice] The file is read to its end before the first face is stored, so nothing is imported from a
 * damaged file.
 * @throws {FileFault} if the passphrase is wrong, the file is incomplete, or the collection uses another model
 */
export async function importCollection(
  access: CollectionAccess,
  request: CollectionImport,
): Promise<ImportResult> {
  const { accountId, path, passphrase } = request
  const file = await openSealedFile(path, passphrase)
  const head = await check(file)
  const collectionId = request.collectionId ?? head.collectionId
  const isNew = await makeCollection(access, accountId, collectionId, head)
  let restoredCount = 0
  let skippedCount = 0
  let strippedCount = 0
  for await (const batch of batchesOf(file, head)) {
    const restored = await restoreBatch(access, accountId, collectionId, head, batch)
    restoredCount += restored.count
    skippedCount += batch.length - restored.count
    strippedCount += restored.strippedCount
  }
  return { collectionId, isNew, restoredCount, skippedCount, strippedCount }
}

async function check(file: SealedFile): Promise<ExportedCollection> {
  let head: ExportedCollection | undefined
  let end: ExportEnd | undefined
  let faceCount = 0
  for await (const { content, isLast } of file.chunks()) {
    if (head === undefined) head = headOf(content)
    else if (isLast) end = JSON.parse(content.toString()) as ExportEnd
    else faceCount += readBatch(content, head.schema).length
  }
  if (head === undefined || end?.faceCount !== faceCount)
    throw new FileFault('The content of the file does not match its header.')
  return head
}

function headOf(content: Buffer): ExportedCollection {
  const head = JSON.parse(content.toString()) as ExportedCollection
  if (![1, 2, 3].includes(head.schema))
    throw new FileFault(`The file has schema ${head.schema}, which this version cannot read.`)
  return head
}

async function* batchesOf(file: SealedFile, { schema }: ExportedCollection): AsyncGenerator<EnrolledFace[]> {
  let number = 0
  for await (const { content, isLast } of file.chunks()) {
    if (number++ > 0 && !isLast) yield readBatch(content, schema)
  }
}

function makeCollection(
  access: CollectionAccess,
  accountId: string,
  collectionId: string,
  { description, embeddingModel }: ExportedCollection,
): Promise<boolean> {
  return access.change(accountId, collectionId, async (collection, writer) => {
    if (!collection.exists) return { answer: true, change: writer.describe(description) }
    refuseOtherModel(collection.record.embeddingModel, embeddingModel)
    return { answer: false }
  })
}

/** Returns how many of the batch's faces were new, and how many of those lost a second embedding. */
function restoreBatch(
  access: CollectionAccess,
  accountId: string,
  collectionId: string,
  { embeddingModel, secondModel }: ExportedCollection,
  batch: readonly EnrolledFace[],
): Promise<{ count: number; strippedCount: number }> {
  return access.change(accountId, collectionId, async (collection, writer) => {
    if (!collection.exists) throw new FileFault('The collection was deleted during the import.')
    refuseOtherModel(collection.record.embeddingModel, embeddingModel)
    const change = await writer.restore(batch, { embeddingModel: embeddingModel!, secondModel })
    return { answer: { count: change.restoredCount, strippedCount: change.strippedCount }, change }
  })
}

/** [Note: A collection keeps to one model] */
function refuseOtherModel(present: string | undefined, given: string | null): void {
  if (present === undefined || given === null || present === given) return
  throw new FileFault(
    `The faces of the file have the embedding model ${given}, but those of the collection have ${present}. Models cannot be mixed.`,
  )
}

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { poorComponents, wantedForQuality } from '#models/rules/quality/face-quality.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import type { CollectionReader } from '#server/features/recognition/collections/collection-reader.ts'
import {
  type DominantFace,
  dominantFace,
  wantedToRecognise,
} from '#server/features/recognition/collections/dominant-face.ts'
import { faceIdFrom } from '#server/features/recognition/store/face-id.ts'
import { FileFault } from '#server/platform/sealed-files/file-fault.ts'
import { imageLimits } from '#shared/contract/analysis/image.ts'
import { walkPicture } from '#shared/picture/picture-header.ts'
import { createImportProgress, type ImportProgress } from '#shared/picture-import/import-progress.ts'
import { type Naming, nameOf } from '#shared/picture-import/picture-names.ts'
import { missing, type ReportRow, refused } from '#shared/picture-import/report-row.ts'
import { Problem } from '#shared/problem.ts'
import type { ImportReport } from './import-report.ts'
import { picturesIn } from './picture-files.ts'

/** An import's inputs and dependencies. */
export interface PictureImport {
  readonly access: CollectionAccess
  readonly analysis: AnalysisService
  readonly report: ImportReport
  readonly accountId: string
  readonly collectionId: string
  /** The collection's gallery when the import started. A collection that is re-created under the same ID has another one. */
  readonly galleryId: string
  readonly folder: string
  readonly naming: Naming
  /** Report rows for the table's invalid rows. */
  readonly faults: readonly ReportRow[]
  /** The minimum unified score for storing a picture's face; 0 for none. */
  readonly leastQuality: number
  readonly milliseconds: () => number
  /** Receives the progress after each picture. */
  readonly onProgress: (progress: ImportProgress) => void
}

/**
 * Imports the faces in a folder's pictures into an existing collection, several at a time, and records each one in the
 * report. [Note: A picture has its face's id] A face's ID is derived from the picture and its person. This way, faces that a
 * killed import had stored are recognised regardless of its report, and importing a folder twice adds nothing.
 * @returns how many pictures had each outcome: `kept`, `alreadyThere`, and the reasons why pictures were not stored
 * @throws {FileFault} if the collection is deleted in the meantime
 */
export async function importPictures(pictureImport: PictureImport): Promise<Record<string, number>> {
  const { folder, report, naming, onProgress } = pictureImport
  const counts: Record<string, number> = {}
  const count = (outcome: string) => {
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  const listed = new Set(typeof naming === 'string' ? [] : naming.keys())
  let total = 0
  for await (const file of picturesIn(folder)) {
    total++
    listed.delete(file)
  }
  const progress = createImportProgress(
    total,
    Math.min(total, report.reported.size),
    pictureImport.milliseconds,
  )

  async function tell(row: ReportRow): Promise<void> {
    await report.tell(row)
    count(row.reason ?? 'kept')
  }

  async function lane(files: AsyncIterator<string>): Promise<void> {
    for (let next = await files.next(); next.done !== true; next = await files.next()) {
      const outcome = report.reported.get(next.value)
      if (outcome !== undefined) {
        count(outcome)
        continue
      }
      await tell(await importPicture(pictureImport, next.value))
      progress.step()
      onProgress(progress.now())
    }
  }

  const files = picturesIn(folder)
  await Promise.all(Array.from({ length: pictureImport.analysis.parallel + 1 }, () => lane(files)))
  const absent = [...listed].map(missing)
  for (const row of [...pictureImport.faults, ...absent]) {
    if (report.takeWritten(row)) count(row.reason!)
    else await tell(row)
  }
  return counts
}

/** A picture's outcome. One picture's error does not stop the others. */
async function importPicture(pictureImport: PictureImport, file: string): Promise<ReportRow> {
  const named = nameOf(file, pictureImport.naming)
  if ('reason' in named) return refused(file, named.reason, named.detail)
  const { externalId } = named
  try {
    const row = await lookAt(pictureImport, file, externalId)
    return { ...row, externalId }
  } catch (error) {
    if (error instanceof FileFault) throw error
    const isOfPicture = error instanceof Problem && error.code === 'unreadable_image'
    return refused(file, isOfPicture ? 'unreadable' : 'failed', wordsOf(error), { externalId })
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function lookAt(
  pictureImport: PictureImport,
  file: string,
  externalId: string | null,
): Promise<ReportRow> {
  const { access, analysis, accountId, collectionId, leastQuality } = pictureImport
  const path = join(pictureImport.folder, file)
  if ((await stat(path)).size > imageLimits.bytes)
    return refused(file, 'unreadable', 'Must be at most 10 MiB.')
  const picture = await readFile(path)
  const walked = walkPicture(picture)
  if ('fault' in walked) return refused(file, 'unreadable', walked.fault)
  const { faceId, isThere } = await access.read(accountId, collectionId, async (collection) => {
    requireSame(collection, pictureImport)
    const id = faceIdFrom(collection.key(), externalId ?? '', picture)
    return { faceId: id, isThere: (await collection.get(id)) !== undefined }
  })
  const row = { file, externalId, faceId, quality: null, nearest: null, detail: '' }
  if (isThere) return { ...row, reason: 'alreadyThere' }
  const wanted = { ...wantedToRecognise, ...wantedForQuality }
  const { signal } = new AbortController()
  const found = dominantFace(await analysis.analyse(picture, wanted, { accountId, signal }))
  if (found === undefined) return refused(file, 'noFace', '')
  const quality = found.quality()
  const scored = { quality: quality.unifiedScore }
  if (found.unprocessedFaceCount > 0)
    return refused(file, 'severalFaces', `${found.unprocessedFaceCount + 1} faces`, scored)
  if (quality.unifiedScore < leastQuality)
    return refused(file, 'lowQuality', poorComponents(quality).join(' '), scored)
  return access.change<ReportRow>(accountId, collectionId, async (collection, writer) => {
    requireSame(collection, pictureImport)
    if ((await collection.get(faceId)) !== undefined)
      return { answer: { ...row, ...scored, reason: 'alreadyThere' } }
    const nearest = await nearestIn(collection, found)
    const change = writer.add({ ...found.as(externalId, collection.models), faceId })
    return { answer: { ...row, ...scored, reason: null, nearest }, change }
  })
}

/** [Note: A deleted collection stays deleted] Otherwise, a change would create it again with other IDs for its faces. */
function requireSame({ exists, place }: CollectionReader, { galleryId }: PictureImport): void {
  if (!exists || place.galleryId !== galleryId)
    throw new FileFault('The collection was deleted during the import.')
}

/** The most similar face, whatever its score. */
async function nearestIn(collection: CollectionReader, { templates }: DominantFace) {
  const { matches } = await collection.nearest(templates, 0, 1, false)
  const [match] = matches
  return match === undefined
    ? null
    : { faceId: match.face.faceId, externalId: match.face.externalId, similarity: match.score }
}

import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import {
  importPictures,
  openImportReport,
  progressWords,
  refuseOtherModel,
} from '#server/features/recognition/recognition.ts'
import { type Naming, readNameTable } from '#shared/picture-import/picture-names.ts'
import type { ReportRow } from '#shared/picture-import/report-row.ts'
import { type Command, type Context, UsageError } from './command.ts'

const saidEachMilliseconds = 1000

/** Imports a folder of pictures into a collection. */
export const importPicturesCommand: Command = {
  summary:
    'Imports the face of each picture of a folder into --collection, which is created if it does not exist. --external-id identifies the people: file-name, folder, or a CSV file with the columns file and externalId. --least-quality N skips faces of lower quality. The report (--report FILE.csv) lists the outcome of each picture. To finish an interrupted import, repeat the command.',
  subject: 'FOLDER',
  options: {
    collection: { type: 'string' },
    'external-id': { type: 'string' },
    'least-quality': { type: 'string' },
    report: { type: 'string' },
  },
  async run(context) {
    const folder = resolve(context.subject)
    const collectionId = context.text('collection')
    if (collectionId === undefined || collectionId === '') throw new UsageError('--collection ID is missing.')
    if (!(await isFolder(folder))) throw new UsageError(`The folder ${folder} does not exist.`)
    const leastQuality = leastOf(context.text('least-quality'))
    const names = await readNaming(context.text('external-id'))
    const path = context.text('report') ?? `${basename(folder)}-report.csv`
    const counts = await context.recorded('importPictures', { collectionId }, (accountId) =>
      run(context, { accountId, collectionId, folder, leastQuality, path, ...names }),
    )
    const lines = Object.entries(counts).map(([outcome, count]) => `${outcome}: ${count}`)
    return {
      result: { collectionId, report: path, counts },
      lines: [...(lines.length === 0 ? ['The folder has no pictures.'] : lines), `Report: ${path}`],
    }
  },
}

interface ImportRequest {
  readonly accountId: string
  readonly collectionId: string
  readonly folder: string
  readonly leastQuality: number
  readonly path: string
  readonly naming: Naming
  readonly faults: readonly ReportRow[]
}

async function run(context: Context, asked: ImportRequest): Promise<Record<string, number>> {
  const { access } = context.services.recognition
  const { accountId, collectionId, folder, leastQuality, faults } = asked
  await access.change(accountId, collectionId, async (collection, writer) => {
    refuseOtherModel(collection, '#/collectionId')
    return collection.exists ? { answer: undefined } : { answer: undefined, change: writer.make() }
  })
  const { galleryId } = await access.read(accountId, collectionId, async ({ place }) => place)
  const namedBy = context.text('external-id') ?? 'none'
  const report = await openImportReport(
    asked.path,
    JSON.stringify({ folder, collectionId, galleryId, externalId: namedBy, leastQuality }),
  )
  const analysis = context.startAnalysis()
  try {
    const onProgress = seldom(context.progress)
    const given = {
      access,
      analysis,
      report,
      accountId,
      collectionId,
      galleryId,
      folder,
      leastQuality,
      onProgress,
    }
    const milliseconds = () => performance.now()
    const counts = await importPictures({ ...given, naming: asked.naming, faults, milliseconds })
    await report.finish()
    return counts
  } finally {
    await report.close()
    await analysis.close()
  }
}

/** Reports at most once a second, and at the end. */
function seldom(say: (words: string) => void) {
  let saidAt = Number.NEGATIVE_INFINITY
  return (progress: Parameters<typeof progressWords>[0]) => {
    const now = performance.now()
    if (now - saidAt < saidEachMilliseconds && progress.done < progress.total) return
    saidAt = now
    say(progressWords(progress))
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true
}

function leastOf(given: string | undefined): number {
  const least = given === undefined ? 0 : Number(given)
  if (given?.trim() === '' || !(least >= 0 && least <= 100))
    throw new UsageError('--least-quality must be a number from 0 to 100.')
  return least
}

async function readNaming(given: string | undefined): Promise<Pick<ImportRequest, 'naming' | 'faults'>> {
  if (given === undefined) return { naming: 'none', faults: [] }
  if (given === 'file-name' || given === 'folder') return { naming: given, faults: [] }
  const text = await readFile(given, 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new UsageError(`--external-id must be file-name, folder, or a file; ${given} does not exist.`)
  try {
    const { names, faults } = readNameTable(text)
    return { naming: names, faults: faults.map(asRow) }
  } catch (error) {
    throw new UsageError(`${given}: ${(error as Error).message}`)
  }
}

function asRow({ file, detail }: { file: string; detail: string }): ReportRow {
  const nothing = { externalId: null, faceId: null, quality: null, nearest: null } as const
  return { file, ...nothing, reason: 'badExternalId', detail }
}

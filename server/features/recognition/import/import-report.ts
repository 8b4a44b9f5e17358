import { createReadStream } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import { FileFault } from '#server/platform/sealed-files/file-fault.ts'
import { type CsvRows, csvLine, readCsv } from '#shared/picture-import/csv.ts'
import { outcomeOf, type ReportRow, reportHead, reportLine } from '#shared/picture-import/report-row.ts'

/** An import's report while it is being written. Files that it already lists do not need to be analysed again. */
export interface ImportReport {
  /** Files that are already listed, each with its first outcome, because a table may name a file twice. */
  readonly reported: ReadonlyMap<string, string>
  /** True if this exact row existed before. Each existing row matches only once. */
  takeWritten(row: ReportRow): boolean
  /** Resolves once the row is in the file. */
  tell(row: ReportRow): Promise<void>
  /** Moves the finished report into place. */
  finish(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens an import's report, or continues an interrupted one, which stays in `PATH.part` until it is complete. Its first
 * line describes the import. A truncated row is dropped.
 * @throws {FileFault} if the interrupted report belongs to another import
 */
export async function openImportReport(path: string, about: string): Promise<ImportReport> {
  const part = `${path}.part`
  const file = await open(part, 'a+', 0o600)
  try {
    const first = `#${about}\n`
    const rows = await goOn(file, part, first)
    const written = countedLines(rows)
    let turn = Promise.resolve()
    return {
      reported: firstOutcomes(rows),
      takeWritten(row) {
        const line = reportLine(row)
        const times = written.get(line) ?? 0
        written.set(line, times - 1)
        return times > 0
      },
      tell(row) {
        turn = turn.then(() => file.appendFile(reportLine(row)))
        return turn
      },
      async finish() {
        await turn
        await file.sync()
        await copyTo(`${path}.whole`, createReadStream(part, { start: Buffer.byteLength(first) }))
        await rename(`${path}.whole`, path)
        // After a power failure, the file has either the old or the new name.
        await syncFolder(dirname(path))
        await rm(part)
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Resolves when the complete copy is on disk. */
async function copyTo(path: string, content: Readable): Promise<void> {
  const copy = await open(path, 'w', 0o600)
  try {
    await copy.writeFile(content)
    await copy.sync()
  } finally {
    await copy.close()
  }
}

/** The rows that the report already contains. */
async function goOn(file: FileHandle, part: string, first: string): Promise<CsvRows['rows']> {
  const text = await readFile(part, 'utf8')
  if (text.length < first.length + reportHead.length && `${first}${reportHead}`.startsWith(text)) {
    await file.truncate(0)
    await file.appendFile(`${first}${reportHead}`)
    return []
  }
  if (!text.startsWith(`${first}${reportHead}`)) {
    throw new FileFault(
      `${part} is the report of another, unfinished import. Finish that one with its original arguments, or remove the file.`,
    )
  }
  const { rows, length } = readCsv(text.slice(first.length), false)
  await file.truncate(
    Buffer.byteLength(first) + Buffer.byteLength(text.slice(first.length, first.length + length)),
  )
  return rows.slice(1)
}

function firstOutcomes(rows: CsvRows['rows']): Map<string, string> {
  const outcomes = rows.flatMap((cells) => outcomeOf(cells) ?? [])
  return new Map(outcomes.reverse().map(({ file, outcome }) => [file, outcome]))
}

/** How often each line occurs. Lines for stored faces are left out, because their pictures are recognised by file. */
function countedLines(rows: CsvRows['rows']): Map<string, number> {
  const written = new Map<string, number>()
  for (const cells of rows) {
    const [, , faceId] = cells
    if (faceId !== '') continue
    const line = csvLine(cells)
    written.set(line, (written.get(line) ?? 0) + 1)
  }
  return written
}

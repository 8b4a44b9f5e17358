import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { FileFault } from '#server/platform/sealed-files/file-fault.ts'
import { readCsv } from '#shared/picture-import/csv.ts'
import { outcomeOf, type ReportRow, reportHead, reportLine } from '#shared/picture-import/report-row.ts'

/** The report of an import while it is being written; what it says of a file need not be found out again. */
export interface ImportReport {
  /** The files that it names already, each with what became of it. */
  readonly reported: ReadonlyMap<string, string>
  /** Resolves once the row is in the file. */
  tell(row: ReportRow): Promise<void>
  /** Puts the whole report in its place. */
  finish(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the report of an import, or goes on with one that was cut off: it stands in `PATH.part` until it is whole. The first line of
 * that says what the import was about; a row that was cut off is dropped.
 * @throws {FileFault} where the one that was cut off is about something else
 */
export async function openImportReport(path: string, about: string): Promise<ImportReport> {
  const part = `${path}.part`
  const file = await open(part, 'a+', 0o600)
  try {
    const first = `#${about}\n`
    const reported = await goOn(file, part, first)
    let turn = Promise.resolve()
    return {
      reported,
      tell(row) {
        turn = turn.then(() => file.appendFile(reportLine(row)))
        return turn
      },
      async finish() {
        await turn
        await file.sync()
        const whole = `${path}.whole`
        await pipeline(
          createReadStream(part, { start: Buffer.byteLength(first) }),
          createWriteStream(whole, { mode: 0o600 }),
        )
        await rename(whole, path)
        await rm(part)
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function goOn(file: FileHandle, part: string, first: string): Promise<Map<string, string>> {
  const text = await readFile(part, 'utf8')
  if (text.length < first.length + reportHead.length && `${first}${reportHead}`.startsWith(text)) {
    await file.truncate(0)
    await file.appendFile(`${first}${reportHead}`)
    return new Map()
  }
  if (!text.startsWith(`${first}${reportHead}`)) {
    throw new FileFault(
      `${part} is the report of another import that did not end: finish that one with the words that it was begun with, or remove the file.`,
    )
  }
  const { rows, length } = readCsv(text.slice(first.length), false)
  await file.truncate(
    Buffer.byteLength(first) + Buffer.byteLength(text.slice(first.length, first.length + length)),
  )
  const reported = rows.slice(1).flatMap((cells) => outcomeOf(cells) ?? [])
  return new Map(reported.map(({ file: name, outcome }) => [name, outcome]))
}

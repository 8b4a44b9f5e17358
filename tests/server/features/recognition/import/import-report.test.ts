import { existsSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openImportReport } from '#server/features/recognition/import/import-report.ts'
import { readCsv } from '#shared/picture-import/csv.ts'
import { type ReportRow, refused } from '#shared/picture-import/report-row.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-report-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const kept: ReportRow = {
  file: 'a.jpg',
  externalId: 'anna',
  faceId: 'face',
  reason: null,
  quality: 90,
  nearest: null,
  detail: '',
}
const twice = refused('a.jpg', 'badExternalId', 'The table names this file twice.')

test('a resumed report contains each row, and the outcome of a picture that two rows name', async () => {
  const path = join(folder, 'report.csv')
  const begun = await openImportReport(path, 'one import')
  await begun.tell(kept)
  await begun.tell(twice)
  await begun.close()
  const report = await openImportReport(path, 'one import')
  expect(report.reported.get('a.jpg')).toBe('kept')
  expect(
    [twice, twice, refused('', 'badExternalId', 'A row of the table is incomplete.')].map(report.takeWritten),
  ).toEqual([true, false, false])
  await report.finish()
  await report.close()
  expect(readCsv(await readFile(path, 'utf8'), true).rows).toHaveLength(3)
})

test('a report is on disk under its own name before the earlier draft is removed', async () => {
  const path = join(folder, 'whole.csv')
  const report = await openImportReport(path, 'one import')
  await report.tell(kept)
  const synced = await whatIsThere([`${path}.part`, `${path}.whole`, path], report.finish)
  await report.close()
  expect(synced).toEqual([
    [true, false, false],
    [true, true, false],
    [true, false, true],
  ])
  expect(readCsv(await readFile(path, 'utf8'), true).rows).toHaveLength(2)
})

/** Which of the files exist each time something is flushed to disk while `work` runs. */
async function whatIsThere(files: readonly string[], work: () => Promise<void>): Promise<boolean[][]> {
  const any = await open(folder)
  const handles = Object.getPrototypeOf(any) as FileHandle
  await any.close()
  const { sync } = handles
  const seen: boolean[][] = []
  const spy = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    await sync.call(this)
    seen.push(files.map((file) => existsSync(file)))
  })
  await work().finally(() => spy.mockRestore())
  return seen
}

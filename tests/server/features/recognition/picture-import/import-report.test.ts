import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImportReport } from '#server/features/recognition/picture-import/import-report.ts'
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

test('a report that is gone on with knows each row, and what became of a picture that two rows name', async () => {
  const path = join(folder, 'report.csv')
  const begun = await openImportReport(path, 'one import')
  await begun.tell(kept)
  await begun.tell(twice)
  await begun.close()
  const report = await openImportReport(path, 'one import')
  expect(report.reported.get('a.jpg')).toBe('kept')
  expect(
    [twice, twice, refused('', 'badExternalId', 'A row of the table is not whole.')].map(report.takeWritten),
  ).toEqual([true, false, false])
  await report.finish()
  await report.close()
  expect(readCsv(await readFile(path, 'utf8'), true).rows).toHaveLength(3)
})

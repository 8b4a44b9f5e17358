import { expect, test } from 'vitest'
import { readCsv } from '#shared/picture-import/csv.ts'
import { outcomeOf, type ReportRow, reportHead, reportLine } from '#shared/picture-import/report-row.ts'

const row: ReportRow = {
  file: 'a/b.jpg',
  externalId: 'anna',
  faceId: 'f',
  reason: null,
  quality: 84,
  nearest: { faceId: 'g', externalId: null, similarity: 12.345 },
  detail: '',
}

test('has a column for each of its values', () => {
  const [head, cells] = readCsv(reportHead + reportLine(row), false).rows
  expect(Object.fromEntries(head!.map((name, i) => [name, cells![i]]))).toEqual({
    file: 'a/b.jpg',
    externalId: 'anna',
    faceId: 'f',
    reason: '',
    quality: '84',
    nearestFaceId: 'g',
    nearestExternalId: '',
    nearestSimilarity: '12.35',
    detail: '',
  })
})

test.each([
  [null, 'kept'],
  ['noFace', 'noFace'],
  ['alreadyThere', 'alreadyThere'],
] as const)('of the reason %s is read as %s', (reason, outcome) => {
  const [cells] = readCsv(reportLine({ ...row, reason }), false).rows
  expect(outcomeOf(cells!)).toEqual({ file: 'a/b.jpg', outcome })
})

test('that is incomplete has no values', () => {
  expect(outcomeOf(['a.jpg', 'anna'])).toBeUndefined()
})

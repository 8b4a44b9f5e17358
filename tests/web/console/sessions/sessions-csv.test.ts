import { expect, test } from 'vitest'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { readCsv } from '#shared/picture-import/csv.ts'
import { sessionsCsv } from '#web/console/sessions/sessions-csv.ts'
import { de } from '#web/console/wording/de.ts'

const session = {
  verificationSessionId: '97b00fb572f32021cd1c3139523e8286',
  verificationId: 'v1',
  verificationName: 'Anmeldung; "neu"',
  state: 'Completed',
  outcome: 'failed',
  verificationResult: 'Fail',
  verificationFailedReasons: ['lowQuality', 'noFace'],
  externalId: '=HYPERLINK("https://evil.example")',
  correlationId: '+49 30 1',
  source: 'link',
  device: 'phone',
  environment: 'live',
  assurance: 'low',
  tries: 2,
  findings: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:00:42.000Z',
  assignedTo: null,
  review: null,
} satisfies ListedSession

test('a row has the viewer’s language, and times that every program reads', () => {
  const text = sessionsCsv([session], de)
  expect(text.startsWith('\ufeff')).toBe(true)
  const [head, row] = readCsv(text.slice(1), true).rows
  const cells = Object.fromEntries(head!.map((name, i) => [name, row![i]]))
  expect(cells).toMatchObject({
    [de.sessions.session]: session.verificationSessionId,
    [de.sessions.time]: session.createdAt,
    [de.session.tookSeconds]: '42',
    [de.overview.outcome]: de.overview.failed,
    [de.sessions.result]: de.result.Fail,
    [de.sessions.reasons]: `${de.reason.lowQuality}; ${de.reason.noFace}`,
    [de.sessions.verification]: session.verificationName,
    [de.overview.split.device]: de.device.phone,
    [de.overview.split.browser]: '',
    [de.sessions.review]: '',
  })
})

test('no text of a caller becomes a formula', () => {
  const text = sessionsCsv([session], de)
  expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
  expect(text).toContain(",'+49 30 1,")
  for (const line of text.slice(1).split('\r\n'))
    for (const cell of line.split(',')) expect(cell).not.toMatch(/^"?[=+\-@\t]/)
})

test.each([';', '\t', '|', '; '])('nor a formula after %j, which may part cells', (separator) => {
  const externalId = `a${separator}=cmd|' /C calc'!A0${separator}@b;-c;d`
  const text = sessionsCsv([{ ...session, externalId }], de)
  const [, row] = readCsv(text.slice(1), true).rows
  const cell = row!.find((one) => one.startsWith('a'))!
  expect(cell.replaceAll("'", '')).toBe(externalId.replaceAll("'", ''))
  for (const part of cell.split(/[;\t|]/)) expect(part).not.toMatch(/^\s*[=+\-@]/)
  expect(cell.endsWith(';d')).toBe(true)
})

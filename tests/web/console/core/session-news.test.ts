import { expect, test } from 'vitest'
import { readEvents } from '#web/console/core/session-news.ts'

test.each([
  ['event: sessions\ndata: {"change":1}\n\n', ['sessions'], ''],
  [': still there\n\n', [], ''],
  ['event: sessions\ndata: 1\n\nevent: end\ndata: {}\n\nevent: ses', ['sessions', 'end'], 'event: ses'],
  ['event: sess', [], 'event: sess'],
  ['', [], ''],
])('%j', (arrived, events, rest) => {
  expect(readEvents(arrived)).toEqual({ events, rest })
})

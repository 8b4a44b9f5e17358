import { expect, test } from 'vitest'
import { pageThreadTime } from '#lab/bench/page-thread/trace.ts'

const page = { pid: 1, tid: 1 }
const task = (ts: number, more: object = {}) => ({
  ...{ name: 'ThreadControllerImpl::RunTask', cat: 'toplevel', ph: 'X', dur: 4000, tdur: 1000, ts },
  ...page,
  ...more,
})
const timing = (name: string, ph: string, ts: number) => ({ name, cat: 'blink.user_timing', ph, ts, ...page })

test('counts each task of the page between the two marks once, and the pictures that ended between them', () => {
  const traceEvents = [
    task(0),
    timing('picture', 'e', 5000),
    timing('first', 'I', 10_000),
    task(20_000),
    task(20_001, { name: 'RunTask' }), // the same task under another category's name
    task(30_000, { tid: 2 }),
    task(30_000, { pid: 2 }),
    timing('picture', 'b', 31_000),
    timing('picture', 'e', 32_000),
    task(40_000, { dur: 8000 }),
    timing('last', 'I', 50_000),
    task(60_000),
    timing('picture', 'e', 61_000),
  ]
  const trace = Buffer.from(JSON.stringify({ traceEvents }))
  expect(pageThreadTime(trace, { from: 'first', to: 'last', picture: 'picture' })).toEqual({
    tasks: 12,
    processor: 2,
    longestTask: 8,
    pictures: 1,
  })
})

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { processorTimeOf } from '#lab/bench/processor-time.ts'

test.skipIf(!existsSync('/proc/self/schedstat'))('a process that works takes time of the processor', () => {
  const before = processorTimeOf(process.pid)!
  const until = process.cpuUsage().user + 50_000
  while (process.cpuUsage().user < until) Math.sqrt(before)
  const taken = processorTimeOf(process.pid)! - before
  expect(taken).toBeGreaterThan(40_000)
  expect(taken).toBeLessThan(5_000_000)
})

test('the time of a missing process is undefined', () => {
  expect(processorTimeOf(2 ** 30)).toBeUndefined()
})

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RateCounter } from '#server/platform/store/rate-counter.ts'

/** A counter that two processes have opened. */
export interface OpenedCounters {
  readonly one: RateCounter
  readonly other: RateCounter
  dispose(): Promise<void>
}

/** How long it may take until every process knows of a use. */
const knownAfterInMilliseconds = 1000

/** The behaviour required of every counter. Each implementation runs this. */
export function rateCounterConformance(name: string, open: () => Promise<OpenedCounters>) {
  describe(`${name} rate counter`, () => {
    let counters: OpenedCounters
    beforeEach(async () => {
      counters = await open()
    })
    afterEach(() => counters.dispose())

    test('counts each key separately, and returns the end of its window', async () => {
      const { one } = counters
      expect(await one.add('a', 60)).toEqual({ count: 1, resetsInSeconds: 60 })
      expect(await one.add('a', 60)).toEqual({ count: 2, resetsInSeconds: expect.any(Number) })
      expect((await one.add('b', 60)).count).toBe(1)
    })

    test('counts several uses at once', async () => {
      const { one } = counters
      expect((await one.add('a', 60, 5)).count).toBe(5)
      expect((await one.add('a', 60)).count).toBe(6)
    })

    test('reads a count without changing it', async () => {
      const { one } = counters
      expect(await one.peek('a', 60)).toEqual({ count: 0, resetsInSeconds: 60 })
      await one.add('a', 60)
      expect((await one.peek('a', 60)).count).toBe(1)
      expect((await one.peek('a', 60)).count).toBe(1)
    })

    test('loses no use under concurrency', async () => {
      const { one } = counters
      const found = await Promise.all(Array.from({ length: 50 }, () => one.add('a', 60)))
      expect(found.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, i) => i + 1),
      )
    })

    test('starts again when the window has ended', async () => {
      const { one } = counters
      await one.add('a', 1)
      await one.add('a', 1)
      await pause(1100)
      expect((await one.peek('a', 1)).count).toBe(0)
      expect((await one.add('a', 1)).count).toBe(1)
    })

    test('includes the uses of another process in the same window', async () => {
      const { one, other } = counters
      for (let i = 0; i < 5; i++) await one.add('a', 60)
      await pause(knownAfterInMilliseconds)
      expect((await other.peek('a', 60)).count).toBe(5)
      const { count, resetsInSeconds } = await other.add('a', 60)
      expect(count).toBe(6)
      expect(resetsInSeconds).toBeLessThan(60)
      await pause(knownAfterInMilliseconds)
      expect((await one.peek('a', 60)).count).toBe(6)
    })

    test('agrees on a limit, except for uses within the last second', async () => {
      const both = [counters.one, counters.other]
      await Promise.all(both.flatMap((counter) => Array.from({ length: 20 }, () => counter.add('a', 60))))
      await pause(knownAfterInMilliseconds)
      const counts = await Promise.all(both.map((counter) => counter.peek('a', 60)))
      expect(counts.map(({ count }) => count)).toEqual([40, 40])
    })
  })
}

import { expect, test } from 'vitest'
import { createKnownPictures } from '#server/features/sessions/pictures/known-pictures.ts'
import type { LogEntry, LoggedPicture } from '#server/features/sessions/pictures/picture-log.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

const until = 1_000_000

/** Numbers that differ from any other picture's. */
function pictureOf(sequence: number, of = sequence): LoggedPicture {
  const random = randomNumbers(of)
  const numbers = Float32Array.from({ length: 128 }, () => Math.round(random() * 1000))
  return { sequence, sessionId: `session ${sequence}`, until, numbers }
}

test('a look-up yields, and misses nothing that others add and forget meanwhile', async () => {
  const entries: LogEntry[] = Array.from({ length: 900 }, (_, i) => pictureOf(i + 1))
  const log = {
    end: async () => entries.length,
    all: async function* () {
      yield* entries.toReversed()
    },
    entries: async (sequences: readonly number[]) => sequences.map((sequence) => entries[sequence - 1]!),
    add: async () => ({ noted: [], end: 0 }),
    forget: async () => undefined,
  }
  let pauses = 0
  let isLoaded = false
  const turns = {
    isOver: () => true,
    async next() {
      pauses++
      // A load blocks other loads until it is done.
      if (!isLoaded) return
      const sequence = entries.length + 1
      // The first 200 pictures are removed, so the others move forward.
      entries.push({ sequence, forgets: Array.from({ length: 200 }, (_, i) => i + 1) })
      await known.catchUp()
    },
  }
  const known = createKnownPictures(log, () => 0, turns)
  await known.follow(entries.length, [])
  isLoaded = true
  pauses = 0
  const again = { ...pictureOf(2000, 400), sequence: 2000 }
  expect(await known.findReuse(again)).toBe('same')
  expect(pauses).toBeGreaterThan(0)
})

import { expect, test } from 'vitest'
import type { Wanted } from '#models/rules/analysis.ts'
import { createWatch } from '#server/sessions/judging/watch.ts'
import type { PictureMemory } from '#server/sessions/pictures/picture-memory.ts'
import { noon } from '../../../support/drawn/observations.ts'
import { seenIn } from '../../../support/seen.ts'

test('age and gender are looked for in the frames at rest, everything else in all of them', async () => {
  const asked: Wanted[] = []
  const watch = createWatch({
    analysis: {
      parallel: 1,
      analyse: async (_bytes: Uint8Array, wanted: Wanted) => {
        asked.push(wanted)
        return seenIn({ person: 'anna' }, wanted)
      },
    } as never,
    memory: {} as PictureMemory,
    observe: (_analysis, meta) => meta as never,
  })
  const pictures = [0, 0, 1, 2].map((step) => ({ bytes: new Uint8Array(), time: 0, step }))
  const wanted = { embedding: true, demographic: 'full' } as const
  await watch(pictures, { session: {} as never, wanted, receivedAt: noon })
  expect(asked).toEqual([wanted, wanted, { embedding: true }, { embedding: true }])
})

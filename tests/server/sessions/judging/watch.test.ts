import { expect, test } from 'vitest'
import type { Wanted } from '#models/rules/analysis.ts'
import { createWatch } from '#server/sessions/judging/watch.ts'
import type { PictureMemory } from '#server/sessions/pictures/picture-memory.ts'
import { noon } from '../../../support/drawn/observations.ts'
import { seenIn } from '../../../support/seen.ts'

test('age and gender are looked for in the frames at rest, everything else in all of them', async () => {
  const asked: Wanted[] = []
  const analysis = {
    parallel: 1,
    analyse: async (_bytes: Uint8Array, wanted: Wanted) => {
      asked.push(wanted)
      return seenIn({ person: 'anna' }, wanted)
    },
  }
  const watch = createWatch(analysis as never, {} as PictureMemory, [])
  const pictures = [0, 0, 1, 2].map((step) => ({ bytes: new Uint8Array(), time: 0, step }))
  const verifiers = { age: { type: 'CalculationOnly' }, faceRecognition: { type: 'CalculationOnly' } }
  await watch(pictures, { settings: { verifiers } } as never, noon)
  const moving = { embedding: true, eyes: false, print: false, surface: false }
  const wanted = { ...moving, demographic: 'full' }
  expect(asked).toEqual([wanted, wanted, moving, moving])
})

import { expect, test } from 'vitest'
import { embeddingLengths, toUnit } from '#models/rules/embedding.ts'
import { poorDirections, showsPerson } from '#models/rules/person-part.ts'
import { createArena } from '#server/features/recognition/search/arena.ts'
import { openKernel } from '#server/features/recognition/search/kernel/open-kernel.ts'
import { createPersonCheck } from '#server/features/recognition/search/person-check.ts'
import { randomEmbedding } from '../../../../support/drawn/random-face.ts'

test.each(['fr-feature/2', 'dlib-face/2'] as const)('says of vectors of %s what the rule says', (model) => {
  const kernel = openKernel('plain')
  const check = createPersonCheck(kernel, createArena(kernel, embeddingLengths[model]))
  const [poor = randomEmbedding(0, embeddingLengths[model])] = poorDirections(model).directions
  const said = Array.from({ length: 21 }, (_, i) => {
    const own = randomEmbedding(i + 1, embeddingLengths[model])
    const vector = toUnit(own.map((value, at) => (1 - i / 20) * value + (i / 20) * poor[at]!))
    const isShown = check(new Uint8Array(vector.buffer), model)
    expect(isShown).toBe(showsPerson(vector, model))
    return isShown
  })
  expect(said[0]).toBe(true)
  expect(said[20]).toBe(model === 'dlib-face/2')
})

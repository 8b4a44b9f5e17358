import { describe, expect, test } from 'vitest'
import { embedders } from '#models/networks/embedder.ts'
import { createPipeline } from '#models/pipeline.ts'
import type { Wanted } from '#models/rules/analysis.ts'
import { type PackName, packNames, packs, within } from '#models/rules/packs.ts'
import { FakeNetworks } from '../../support/drawn/fake-networks.ts'
import { drawn } from '../../support/drawn/frames.ts'

const everything: Wanted = {
  group: true,
  liveness: 'full',
  embedding: true,
  demographic: 'full',
  expression: 'full',
  eyes: true,
  print: true,
  faces: 3,
}
const frame = drawn(320, 240, () => [90, 90, 90])
const documented = ['blazeface-short', 'blazeface-full', 'facemesh', 'dlib-face']

function start(pack: PackName) {
  const networks = new FakeNetworks()
  return { networks, pipeline: createPipeline(networks.open, () => 0, packs[pack]) }
}

describe('the conservative pack', () => {
  test('opens no network whose origin is not written down, whatever is wanted', async () => {
    const { networks, pipeline } = start('conservative')
    await pipeline.prepare(everything)
    await pipeline.analyse(frame, everything)
    await pipeline.stream().next(frame, everything)
    expect(new Set(networks.opened)).toEqual(new Set(documented))
  })

  test('answers embeddings of its own model, and nothing that it has no network for', async () => {
    const { face } = await start('conservative').pipeline.analyse(frame, everything)
    expect(face?.embedding).toHaveLength(128)
    for (const name of ['live', 'age', 'gender', 'expressions', 'eyesClosed'])
      expect(face).not.toHaveProperty(name)
    expect(face?.quality.sharpness).toBeTypeOf('number')
  })
})

describe('the standard pack', () => {
  test('leaves nothing of what is wanted out', () => {
    expect(within(packs.standard, everything)).toEqual(everything)
  })

  test('is that of a pipeline for which none is named', async () => {
    const networks = new FakeNetworks()
    await createPipeline(networks.open, () => 0).analyse(frame, { embedding: true })
    expect(networks.opened).toContain(embedders[packs.standard.embeddingModel].network)
  })
})

test.each(packNames)('%s adds nothing to what is wanted', (name) => {
  expect(within(packs[name], {})).toEqual({})
})

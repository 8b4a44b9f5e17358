import { describe, expect, test } from 'vitest'
import { embedders } from '#models/networks/embedder.ts'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import type { AnalysisStages } from '#models/rules/analysis.ts'
import {
  comparedBy,
  type Pack,
  type PackName,
  packNames,
  packs,
  withFormer,
  within,
} from '#models/rules/packs.ts'
import { FakeNetworks } from '../../support/drawn/fake-networks.ts'
import { drawn } from '../../support/drawn/frames.ts'

const everything: AnalysisStages = {
  group: true,
  liveness: 'full',
  embedding: true,
  demographic: 'full',
  expression: 'full',
  eyes: true,
  sceneSignature: true,
  faces: 3,
}
const frame = drawn(320, 240, () => [90, 90, 90])
const documented = ['blazeface-short', 'blazeface-full', 'facemesh', 'dlib-face']

function start(pack: PackName | Pack) {
  const networks = new FakeNetworks()
  const chosen = typeof pack === 'string' ? packs[pack] : pack
  return { networks, pipeline: createPipeline(networks.open, () => 0, chosen) }
}

describe('the conservative pack', () => {
  test('opens no network of undocumented origin, whatever is requested', async () => {
    const { networks, pipeline } = start('conservative')
    await pipeline.prepare(everything)
    await pipeline.analyse(frame, everything)
    await pipeline.stream().next(frame, everything)
    expect(new Set(networks.opened)).toEqual(new Set(documented))
  })

  test('returns embeddings of its model, and nothing for which it has no network', async () => {
    const { face } = await start('conservative').pipeline.analyse(frame, everything)
    expect(face?.embedding).toHaveLength(128)
    for (const name of ['live', 'age', 'gender', 'expressions', 'eyesClosed'])
      expect(face).not.toHaveProperty(name)
    expect(face?.quality.sharpness).toBeTypeOf('number')
  })
})

describe('the standard pack', () => {
  test('omits nothing that is requested', () => {
    expect(within(packs.standard, everything)).toEqual(everything)
  })

  test('is the default of a pipeline', async () => {
    const networks = new FakeNetworks()
    await createPipeline(networks.open, () => 0).analyse(frame, { embedding: true })
    expect(networks.opened).toContain(embedders[packs.standard.embeddingModel].network)
  })
})

describe('the extended pack', () => {
  test('judges liveness twice and embeds twice, in addition to the standard pack', async () => {
    const { networks, pipeline } = start('extended')
    const { face } = await pipeline.analyse(frame, everything)
    expect(networks.opened).toEqual(expect.arrayContaining(['minifasnet-v2', 'foamliu-face']))
    expect(face?.embedding).toHaveLength(512)
    expect(face?.secondEmbedding).toHaveLength(128)
    const living = Math.exp(2) / (2 + Math.exp(2))
    expect(face?.live?.second).toEqual({ raw: expect.closeTo(living) })
    expect(within(packs.extended, everything)).toEqual(everything)
  })

  test('runs only the networks that are needed', async () => {
    const { networks, pipeline } = start('extended')
    const { face } = await pipeline.analyse(frame, { eyes: true })
    expect(networks.opened).not.toContain('minifasnet-v2')
    expect(networks.opened).not.toContain('foamliu-face')
    expect(face).not.toHaveProperty('secondEmbedding')
  })

  test('is compared by both embeddings, the others by their own', () => {
    expect(packNames.map((name) => comparedBy(packs[name]))).toEqual([
      'fr-feature/2',
      'dlib-face/2',
      'fr-feature/2+foamliu-face/1',
    ])
  })
})

test.each(packNames)('%s runs nothing beyond the request', (name) => {
  expect(within(packs[name], {})).toEqual({})
})

describe('a pack together with its predecessor', () => {
  const pack = withFormer(packs.standard, 'conservative')

  test('makes the embeddings of both, and nothing else of the predecessor', async () => {
    const { networks, pipeline } = start(pack)
    const { face } = await pipeline.analyse(frame, { embedding: true })
    expect(networks.take()).toEqual(['blazeface-short', 'facemesh', 'fr-feature', 'dlib-face'])
    expect(face?.embedding).toHaveLength(512)
    expect(face?.formerEmbedding).toHaveLength(128)
    expect(pipeline.networks({ embedding: true })).toContain('dlib-face')
    expect(start('standard').pipeline.networks({ embedding: true })).not.toContain('dlib-face')
    expect(comparedBy(pack)).toBe(comparedBy(packs.standard))
  })

  test.each([
    ['standard', 'standard'],
    ['standard', 'extended'],
    ['conservative', 'conservative'],
  ] as const)('%s is not stored next to %s, which searches by the same embeddings', (one, former) => {
    expect(() => withFormer(packs[one], former)).toThrow(RangeError)
  })
})

import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPipeline, type Pipeline } from '#models/pipeline/pipeline.ts'
import { matchScore } from '#models/rules/search-threshold.ts'
import { cosine, cosineOf, scoreOf } from '#models/rules/similarity.ts'
import { likenessOf, type Templates } from '#models/rules/templates.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { openRuntime } from '#workers/node/runtime.ts'
import {
  hasSharedData,
  needsSharedData,
  readShared,
  readTable,
  spreadOver,
} from '../../../support/shared-data.ts'

const models = { embeddingModel: 'fr-feature/2' } as const
const people = 5

describe.skipIf(!hasSharedData)(`two strangers${needsSharedData}`, () => {
  let pipeline: Pipeline
  let pictures: readonly Buffer[]

  beforeAll(async () => {
    const { open } = await openRuntime()
    pipeline = createPipeline(open, () => performance.now())
    const rows = readTable('recognition/lfw/labels.csv')
    pictures = spreadOver(rows, people).map(({ file }) => readShared('recognition', 'lfw', file!))
  })

  test.each<[string, (picture: Sharp) => Sharp]>([
    ['in the dark', (picture) => picture.linear(0.04, 0)],
    ['behind a blur', (picture) => picture.blur(6)],
    ['in the fog', (picture) => picture.linear(0.1, 115)],
  ])('%s do not match, although the networks find them similar', { timeout: 60_000 }, async (_, harm) => {
    const faces: Templates[] = []
    for (const picture of pictures) {
      const harmed = await harm(sharp(picture)).png().toBuffer()
      const { face } = await pipeline.analyse(await decodeImage(harmed), {
        embedding: true,
        group: 'otherwise',
      })
      if (face?.embedding !== undefined) faces.push({ first: face.embedding })
    }
    expect(faces.length).toBeGreaterThan(2)
    const pairs = faces.flatMap((one, i) => faces.slice(0, i).map((other) => [one, other] as const))
    const alike = pairs.map(([one, other]) => cosine(one.first, other.first))
    expect(Math.max(...alike)).toBeGreaterThan(cosineOf(matchScore))
    for (const [one, other] of pairs) {
      const { likeness, by } = likenessOf(one, other, models)
      expect(scoreOf(likeness, by)).toBeLessThan(matchScore)
    }
  })
})

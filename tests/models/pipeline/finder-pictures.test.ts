import { beforeAll, describe, expect, test } from 'vitest'
import { createPipeline, type Pipeline } from '#models/pipeline/pipeline.ts'
import type { Analysis } from '#models/rules/analysis.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { openRuntime } from '#workers/node/runtime.ts'
import {
  hasSharedData,
  needsSharedData,
  readShared,
  readTable,
  spreadOver,
} from '../../support/shared-data.ts'

describe.skipIf(!hasSharedData)(`faces in pictures${needsSharedData}`, () => {
  let pipeline: Pipeline

  beforeAll(async () => {
    const { open } = await openRuntime()
    pipeline = createPipeline(open, () => performance.now())
  })

  const facesIn = async (...path: string[]): Promise<Analysis> =>
    pipeline.analyse(await decodeImage(readShared('detection', ...path)), { group: true, faces: 100 })

  test('are found in a group of 29, small and partly turned away', { timeout: 20_000 }, async () => {
    const { faces } = await facesIn('public-domain', 'solvay1927.jpg')
    expect(faces.length).toBeGreaterThanOrEqual(26)
    expect(faces.length).toBeLessThanOrEqual(29)
  })

  test('are found behind a mask', { timeout: 20_000 }, async () => {
    const rows = readTable('detection/face-mask/labels.csv').filter((row) => row.class === 'with_mask')
    for (const { file } of spreadOver(rows, 4))
      expect((await facesIn('face-mask', file!)).faces, file).not.toEqual([])
  })

  test('are not found in scenery', { timeout: 20_000 }, async () => {
    for (const { file } of spreadOver(readTable('detection/no-faces/labels.csv'), 6)) {
      const { faces, others } = await facesIn('no-faces', file!)
      expect([faces, others], file).toEqual([[], []])
    }
  })

  test.each(['90', '180', '270'])(
    'turned by %s degrees are found at most once',
    {
      timeout: 20_000,
    },
    async (degrees) => {
      const { faces, others } = await facesIn('scenarios', `rotate__rot_${degrees}.jpg`)
      expect(faces.length + others.length).toBeLessThanOrEqual(1)
    },
  )
})

import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPipeline, type Pipeline } from '#models/pipeline/pipeline.ts'
import type { AnalysisStages } from '#models/rules/analysis.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { openRuntime } from '#workers/node/runtime.ts'

/** The difference between two angles in degrees, from -180 to 180. */
const apart = (one: number, other: number) => ((one - other + 1260) % 360) - 180

const astronaut = readFileSync(new URL('../../support/pictures/astronaut.png', import.meta.url))

describe('a face in a turned picture', () => {
  let pipeline: Pipeline
  let meshRuns = 0

  beforeAll(async () => {
    const { open } = await openRuntime()
    const counted: typeof open = async (name) => {
      const session = await open(name)
      if (name !== 'facemesh') return session
      return {
        run(input) {
          meshRuns++
          return session.run(input)
        },
      }
    }
    pipeline = createPipeline(counted, () => performance.now())
  })

  const facesAt = async (degrees: number, group: NonNullable<AnalysisStages['group']>) => {
    const turned = await sharp(astronaut).rotate(degrees, { background: '#000' }).png().toBuffer()
    meshRuns = 0
    const { faces } = await pipeline.analyse(await decodeImage(turned), { group })
    return faces
  }

  test.each([120, 150, 180, 210, 240])(
    'by %d degrees has correct landmarks, or is not found',
    async (degrees) => {
      for (const { landmarks, pose } of await facesAt(degrees, true)) {
        const [rightEye, leftEye] = [33, 263].map((i) => landmarks.subarray(3 * i, 3 * i + 2))
        const roll = Math.atan2(leftEye![1]! - rightEye![1]!, leftEye![0]! - rightEye![0]!)
        for (const told of [(roll * 180) / Math.PI, pose.roll])
          expect(Math.abs(apart(told, degrees))).toBeLessThan(20)
      }
    },
  )

  test.each([true, 'otherwise'] as const)('is found upside down, with group %s', async (group) => {
    expect(await facesAt(180, group)).toHaveLength(1)
  })

  test('costs nothing extra if it is upright', async () => {
    expect(await facesAt(0, 'otherwise')).toHaveLength(1)
    expect(meshRuns).toBe(2)
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { type RgbaFrame, rgbaOf } from '#models/picture/frame.ts'
import { createPipeline, type Pipeline } from '#models/pipeline/pipeline.ts'
import type { Pose } from '#models/rules/analysis.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { openRuntime } from '#workers/node/runtime.ts'
import { hasSharedData, needsSharedData, readShared } from '../../../support/shared-data.ts'

/** The direction for pictures that state it in their names, using the person's own left and right. */
const looks: readonly (readonly [file: string, axis: keyof Pose, sign: 1 | -1])[] = [
  ['pose__left_face.jpeg', 'yaw', -1],
  ['pose__right_face.png', 'yaw', 1],
  ['pose__rise_face.jpeg', 'pitch', 1],
  ['pose__lower_face.jpeg', 'pitch', -1],
  ['pose__left_wryneck.png', 'roll', -1],
  ['pose__right_wryneck.png', 'roll', 1],
]
const plainlyInDegrees = 20
/** The mesh's own error when it sees a face from the other side. */
const mirrorErrorInDegrees = 8

describe.skipIf(!hasSharedData)(`heads in pictures${needsSharedData}`, () => {
  let pipeline: Pipeline

  beforeAll(async () => {
    const { open } = await openRuntime()
    pipeline = createPipeline(open, () => performance.now())
  })

  const poseIn = async (frame: RgbaFrame) => (await pipeline.analyse(frame, {})).face!.pose

  test.each(looks)(
    '%s: %s has the sign %d, and in a mirror the opposite of the sides',
    {
      timeout: 10_000,
    },
    async (file, axis, sign) => {
      const frame = rgbaOf(await decodeImage(readShared('detection/scenarios', file)))
      const pose = await poseIn(frame)
      expect(sign * pose[axis]).toBeGreaterThan(plainlyInDegrees)
      const mirrored = await poseIn(mirrorOf(frame))
      expect(Math.abs(mirrored.yaw + pose.yaw)).toBeLessThan(mirrorErrorInDegrees)
      expect(Math.abs(mirrored.pitch - pose.pitch)).toBeLessThan(mirrorErrorInDegrees)
      expect(Math.abs(mirrored.roll + pose.roll)).toBeLessThan(mirrorErrorInDegrees)
    },
  )
})

function mirrorOf({ width, height, rgba }: RgbaFrame): RgbaFrame {
  const from = new Uint32Array(Uint8Array.from(rgba).buffer)
  const to = new Uint32Array(from.length)
  for (let i = 0; i < from.length; i++) to[i - (i % width) + width - 1 - (i % width)] = from[i]!
  return { width, height, rgba: new Uint8Array(to.buffer) }
}

import { expect, test } from 'vitest'
import { type RgbaFrame, rgbaOf } from '#models/picture/frame.ts'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { openRuntime } from '#workers/node/runtime.ts'
import { astronaut } from '../../../support/upload.ts'

const { open } = await openRuntime()
const pipeline = createPipeline(open, () => performance.now())
const frame = rgbaOf(await decodeImage(astronaut))

/** The mesh points around the area that a mask covers. */
const maskPoints = [234, 195, 454, 361, 365, 152, 136, 132]

async function logOddsOf(frame: RgbaFrame): Promise<number> {
  const { face } = await pipeline.analyse(frame, {})
  return face === undefined ? Number.NEGATIVE_INFINITY : Math.log(face.presence / (1 - face.presence))
}

/** The picture with a solid-coloured polygon drawn on it. */
function painted(
  frame: RgbaFrame,
  corners: readonly (readonly [number, number])[],
  colour: readonly number[],
): RgbaFrame {
  const rgba = Uint8Array.from(frame.rgba)
  const isInside = (x: number, y: number) =>
    corners.reduce((inside, [ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % corners.length]!
      return ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay) ? !inside : inside
    }, false)
  for (let y = 0; y < frame.height; y++)
    for (let x = 0; x < frame.width; x++) if (isInside(x, y)) rgba.set(colour, (y * frame.width + x) * 4)
  return { ...frame, rgba }
}

test('an uncovered face is accepted', async () => {
  expect(await logOddsOf(frame)).toBeGreaterThan(thresholds.plainness.clear)
})

test.each([
  ['blue', [120, 160, 200]],
  ['black', [30, 30, 32]],
])('a face behind a %s mask is not', async (_name, colour) => {
  const { face } = await pipeline.analyse(frame, {})
  const corners = maskPoints.map((i) => [face!.landmarks[i * 3]!, face!.landmarks[i * 3 + 1]!] as const)
  expect(await logOddsOf(painted(frame, corners, colour))).toBeLessThan(thresholds.plainness.appear)
})

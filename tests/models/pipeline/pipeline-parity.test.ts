import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type RgbaFrame, rgbaOf } from '#models/picture/frame.ts'
import { createPipeline, type Pipeline } from '#models/pipeline/pipeline.ts'
import { type AnalysisStages, expressionNames, type FaceAnalysis } from '#models/rules/analysis.ts'
import { cosine } from '#models/rules/similarity.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { openRuntime, type RuntimeKind } from '#workers/node/runtime.ts'

const wanted: AnalysisStages = {
  liveness: 'full',
  embedding: true,
  demographic: 'full',
  expression: 'full',
  eyes: true,
}
const within = 1e-3

async function pipelineOn(kind: RuntimeKind): Promise<Pipeline> {
  const { open } = await openRuntime(kind)
  return createPipeline(open, () => performance.now())
}

/** The picture as it is, mirrored, and as a half-size crop. */
function variants(frame: RgbaFrame): Readonly<Record<string, RgbaFrame>> {
  const { width, height } = frame
  return {
    'as it is': frame,
    mirrored: sampled(frame, width, height, (x, y) => [width - 1 - x, y]),
    'a part, at half the size': sampled(frame, 180, 150, (x, y) => [2 * x + 60, 2 * y]),
  }
}

function sampled(
  { width: stride, rgba: from }: RgbaFrame,
  width: number,
  height: number,
  source: (x: number, y: number) => readonly [number, number],
): RgbaFrame {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const [u, v] = source(x, y)
      rgba.set(from.subarray((v * stride + u) * 4, (v * stride + u) * 4 + 4), i)
    }
  }
  return { width, height, rgba }
}

/** Everything about a face that decisions depend on, except for the embedding. */
function figures({ live, age, gender, expressions, eyesClosed, pose, presence }: FaceAnalysis): number[] {
  return [
    live!.raw,
    live!.blurred!,
    age!.prediction,
    age!.uncertainty,
    gender!.male,
    ...expressionNames.map((name) => expressions![name]),
    eyesClosed!.left,
    eyesClosed!.right,
    pose.yaw,
    pose.pitch,
    pose.roll,
    presence,
  ]
}

describe('Node native and Node wasm', () => {
  const faces = new Map<string, { native: FaceAnalysis; wasm: FaceAnalysis }>()

  beforeAll(async () => {
    const picture = readFileSync(join(import.meta.dirname, '../../support/pictures/astronaut.png'))
    const [native, wasm] = await Promise.all([pipelineOn('native'), pipelineOn('wasm')])
    for (const [name, frame] of Object.entries(variants(rgbaOf(await decodeImage(picture))))) {
      const [a, b] = [await native.analyse(frame, wanted), await wasm.analyse(frame, wanted)]
      if (a.face === undefined || b.face === undefined)
        throw new Error(`no face was found in the picture ${name}`)
      faces.set(name, { native: a.face, wasm: b.face })
    }
  })

  const names = ['as it is', 'mirrored', 'a part, at half the size']

  test.each(names)('give embeddings with a cosine of at least 0.9999 from the picture %s', (name) => {
    const { native, wasm } = faces.get(name)!
    expect(cosine(native.embedding!, wasm.embedding!)).toBeGreaterThanOrEqual(0.9999)
  })

  test.each(names)('agree on every figure to a thousandth from the picture %s', (name) => {
    const { native, wasm } = faces.get(name)!
    const expected = figures(native)
    figures(wasm).forEach((value, i) => {
      expect(Math.abs(value - expected[i]!), `figure ${i}: ${value} and ${expected[i]}`).toBeLessThan(within)
    })
  })

  test('see the same person in the picture and in its mirror image', () => {
    const [plain, mirrored] = [faces.get('as it is')!, faces.get('mirrored')!]
    expect(cosine(plain.native.embedding!, mirrored.wasm.embedding!)).toBeGreaterThan(0.6)
    expect(plain.native.pose.yaw).toBeCloseTo(-mirrored.wasm.pose.yaw, -1)
  })
})

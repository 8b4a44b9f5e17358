import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as web from 'onnxruntime-web'
import { describe, expect, it } from 'vitest'
import { describeFile, readManifest, WEIGHTS } from '#lab/networks/manifest.ts'
import { loadNativeLibrary } from '#workers/node/native-library.ts'

const native = await loadNativeLibrary()
const { models, canonicalFace } = readManifest()
const TOLERANCE = 1e-4
/** The capture page's networks. The limit is their share of five megabytes after compression. */
const CAPTURE_PAGE = ['blazeface-short', 'facemesh', 'fr-liveness', 'face-expression']
const CAPTURE_BUDGET = 2_550_000

type Runtime = typeof native | typeof web
type Outputs = Record<string, { dims: readonly number[]; data: Float32Array }>

const read = (file: string): Uint8Array => readFileSync(join(WEIGHTS, file))

/** A smooth picture with a little texture. Pure noise would push the networks into ranges that faces never reach. */
function drawInput(name: string, pictures: number): { data: Float32Array; dims: number[] } {
  const { size, channels, scale, offset } = models[name]!.input
  const dims = [pictures, channels, size, size]
  const data = Float32Array.from({ length: pictures * channels * size * size }, (_, index) => {
    const value = 128 + 80 * Math.sin(index / 701) + 30 * Math.sin(index * 1.7)
    return Math.round(value) * scale + offset
  })
  return { data, dims }
}

async function runModel(runtime: Runtime, name: string, pictures: number): Promise<Outputs> {
  const options = { executionProviders: [runtime === native ? 'cpu' : 'wasm'], intraOpNumThreads: 1 }
  const session = await runtime.InferenceSession.create(read(models[name]!.file), options)
  const { data, dims } = drawInput(name, pictures)
  const outputs = await session.run({ input: new runtime.Tensor('float32', data, dims) as never })
  await session.release()
  return outputs as unknown as Outputs
}

function findLargestDifference(left: Float32Array, right: Float32Array): number {
  const size = left.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return left.reduce((most, value, index) => Math.max(most, Math.abs(value - right[index]!)), 0) / size
}

describe('the manifest', () => {
  it.each([...Object.values(models), canonicalFace])('knows the bytes of $file', (entry) => {
    expect(describeFile(entry.file, read(entry.file))).toEqual({
      file: entry.file,
      sha256: entry.sha256,
      bytes: entry.bytes,
    })
  })

  it('notices one damaged byte', () => {
    const entry = models['fr-eye']!
    const damaged = new Uint8Array(read(entry.file))
    damaged[5000]! ^= 1
    expect(describeFile(entry.file, damaged).sha256).not.toBe(entry.sha256)
  })

  it('keeps the capture page within its share of the download', () => {
    const total = CAPTURE_PAGE.reduce((sum, name) => sum + models[name]!.brotliBytes, 0)
    expect(total).toBeLessThan(CAPTURE_BUDGET)
  })

  it.each(Object.keys(models))('names an existing card for %s', (name) => {
    expect(existsSync(join(WEIGHTS, '..', models[name]!.card))).toBe(true)
  })
})

describe('the canonical face', () => {
  const face = JSON.parse(new TextDecoder().decode(read(canonicalFace.file))) as {
    vertices: number[]
    basis: [number, number][]
  }

  it('has 468 points and is almost symmetric between the outer eye corners', () => {
    expect(face.vertices).toHaveLength(468 * 3)
    expect(face.vertices[33 * 3]).toBeCloseTo(-face.vertices[263 * 3]!, 3)
  })

  it('has 33 weighted landmarks to fit', () => {
    expect(face.basis).toHaveLength(33)
    expect(face.basis.every(([landmark, weight]) => landmark < 468 && weight > 0)).toBe(true)
  })
})

describe.each(Object.keys(models))('%s', (name) => {
  let ofOne: Promise<Outputs> | undefined
  const nativeOfOne = () => {
    ofOne ??= runModel(native, name, 1)
    return ofOne
  }

  it('gives the same result in native code and in WebAssembly, with the outputs of the manifest', async () => {
    const [left, right] = [await nativeOfOne(), await runModel(web, name, 1)]
    // A named dimension has any size; the detector has more anchors for a larger picture.
    const named = Object.entries(models[name]!.outputs).map(([output, dims]) => [
      output,
      dims.map((size) => (typeof size === 'string' ? expect.any(Number) : size)),
    ])
    const shapes = Object.entries(left).map(([output, { dims }]) => [output, [...dims]])
    expect(Object.fromEntries(shapes)).toEqual(Object.fromEntries(named))
    for (const output of Object.keys(left)) {
      expect(findLargestDifference(left[output]!.data, right[output]!.data)).toBeLessThan(TOLERANCE)
    }
  })

  it('treats the pictures of a batch alike', async () => {
    const [one, two] = [await nativeOfOne(), await runModel(native, name, 2)]
    for (const output of Object.keys(one)) {
      const first = two[output]!.data.subarray(0, one[output]!.data.length)
      expect(two[output]!.dims[0]).toBe(2)
      expect(findLargestDifference(one[output]!.data, first)).toBeLessThan(TOLERANCE)
    }
  })
})

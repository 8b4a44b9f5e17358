import * as Comlink from 'comlink'
import wasmAddress from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url'
import * as ort from 'onnxruntime-web/wasm'
import type { ModelName } from '#models/networks/session.ts'
import { createPipeline } from '#models/pipeline.ts'
import { followedLongestSide } from '#models/rules/analysis.ts'
import { decideOffline } from '#models/rules/offline-decision.ts'
import { createAnalysis } from '../analysis.ts'
import type { Bitmap, CaptureApi } from '../api.ts'
import { oneAtATime, ortSession, type Runtime } from '../ort-session.ts'
import { createBitmapDecoder } from './bitmap-decoder.ts'
import { createJpegEncoder } from './jpeg-encoder.ts'
import { openSession } from './provider/provider.ts'
import { addressOfWeights, fetchWeights } from './weights.ts'

ort.env.wasm.wasmPaths = { wasm: wasmAddress }
// [Note: One thread] Beside a busy core a second thread waits more than it helps, and isolation is not always given.
ort.env.wasm.numThreads = 1

const turn = oneAtATime()
const decoder = createBitmapDecoder()
const encodeJpeg = createJpegEncoder()
const pipeline = createPipeline(open, () => performance.now())
const analysis = createAnalysis<Bitmap>(pipeline, async (bitmap) => decoder.pixels(bitmap as ImageBitmap))
let decodeTook = 0
const stream = createAnalysis<Bitmap>(pipeline, async (bitmap) => {
  const from = performance.now()
  const pixels = decoder.pixels(bitmap as ImageBitmap, followedLongestSide)
  decodeTook = performance.now() - from
  return pixels
})
let last: ImageBitmap | undefined

async function open(name: ModelName) {
  const session = await openSession(await fetchWeights(name))
  return ortSession(ort as unknown as Runtime, session as never, turn)
}

const api: CaptureApi = {
  prepare: (wanted, onProgress) => pipeline.prepare(wanted, onProgress, () => last !== undefined),
  async analyse(bitmap, wanted) {
    const result = await analysis.analyse(bitmap, wanted)
    bitmap.close()
    return result
  },
  async follow(bitmap, wanted) {
    const from = performance.now()
    last?.close()
    last = bitmap as ImageBitmap
    const analysis = await stream.follow(bitmap, wanted)
    const own = { decode: decodeTook, worker: performance.now() - from }
    return { ...analysis, durations: { ...analysis.durations, ...own } }
  },
  async enlarge(bitmap) {
    last?.close()
    last = bitmap as ImageBitmap
  },
  async forget() {
    last?.close()
    last = undefined
    await stream.forget()
  },
  async encodeLast(size, quality) {
    if (last === undefined) throw new Error('no picture has been followed yet')
    const bytes = await encodeJpeg(last, size, quality)
    return Comlink.transfer(bytes, [bytes.buffer])
  },
  async files(wanted) {
    const weights = pipeline.networks(wanted).map(addressOfWeights)
    return [location.href, ...weights].map((file) => new URL(file, location.href).pathname)
  },
  decideOffline: async (evidence) => decideOffline(evidence),
}

Comlink.expose(api)

import * as Comlink from 'comlink'
import wasmAddress from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url'
import * as ort from 'onnxruntime-web/wasm'
import type { ModelName } from '#models/networks/session.ts'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import { type Analysis, type AnalysisStages, followedLongestSide } from '#models/rules/analysis.ts'
import { decideOffline } from '#models/rules/offline-decision.ts'
import { createAnalysis } from '../analysis.ts'
import type { Bitmap, CaptureApi } from '../api.ts'
import { oneAtATime, ortSession } from '../ort-session.ts'
import { type CameraPicture, createBitmapDecoder } from './bitmap-decoder.ts'
import { noCamera, readCameraFrames, trackProcessor } from './camera-frames.ts'
import { createJpegEncoder } from './jpeg-encoder.ts'
import { createNetworkLoading } from './network-loading.ts'
import { openSession } from './provider/provider.ts'
import { addressOfWeights, fetchWeights } from './weights.ts'

ort.env.wasm.wasmPaths = { wasm: wasmAddress }
// [Note: One thread] If another core is busy, a second thread spends more time waiting than it saves, and cross-origin isolation is not always
// available.
ort.env.wasm.numThreads = 1

const turn = oneAtATime()
const loading = createNetworkLoading(fetchWeights, openSession)
const decoder = createBitmapDecoder()
const encodeJpeg = createJpegEncoder()
const pipeline = createPipeline(open, () => performance.now())
const analysis = createAnalysis<Bitmap>(pipeline, (bitmap) => decoder.pixels(bitmap as ImageBitmap))
let decodeTook = 0
const stream = createAnalysis<CameraPicture>(
  pipeline,
  async (picture) => {
    const from = performance.now()
    const pixels = await decoder.pixels(picture, followedLongestSide)
    decodeTook = performance.now() - from
    return pixels
  },
  'opened',
)
/** The picture that `encodeLast` will encode. */
let last: CameraPicture | undefined
let camera = noCamera

function keepLast(picture: CameraPicture | undefined): void {
  if (picture !== last) last?.close()
  last = picture
}

async function followNext(picture: CameraPicture, wanted: AnalysisStages): Promise<Analysis> {
  const from = performance.now()
  keepLast(picture)
  const found = await stream.follow(picture, wanted)
  const own = { decode: decodeTook, worker: performance.now() - from }
  return { ...found, durations: { ...found.durations, ...own } }
}

async function open(name: ModelName) {
  return ortSession(ort, await loading.open(name), turn)
}

const api: CaptureApi = {
  async prepare(wanted, onLoading) {
    const stop = onLoading && loading.watch(pipeline.networks(wanted), onLoading)
    try {
      await pipeline.prepare(wanted, () => last !== undefined)
    } finally {
      stop?.()
    }
  },
  async analyse(bitmap, wanted) {
    const result = await analysis.analyse(bitmap, wanted)
    bitmap.close()
    return result
  },
  follow: (bitmap, wanted) => followNext(bitmap as ImageBitmap, wanted),
  readsTracks: async () => trackProcessor() !== undefined,
  async readCamera(source) {
    camera.stop()
    camera = source === null ? noCamera : readCameraFrames(source)
  },
  async followCamera(wanted) {
    const from = performance.now()
    const picture = (await camera.next()) ?? last
    if (picture === undefined) return undefined
    const [takenAt, waited] = [performance.timeOrigin + performance.now(), performance.now() - from]
    return { analysis: await followNext(picture, wanted), takenAt, waited }
  },
  async enlarge(bitmap) {
    keepLast(bitmap as ImageBitmap)
  },
  async forget() {
    camera.stop()
    camera = noCamera
    keepLast(undefined)
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

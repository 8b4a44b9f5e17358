import * as Comlink from 'comlink'
import type { ModelName } from '#models/networks/session.ts'
import { createPipeline } from '#models/pipeline.ts'
import { answerOnTheSpot } from '#models/rules/spot-answer.ts'
import { createAnalysis } from '../analysis.ts'
import type { Bitmap, CaptureApi } from '../api.ts'
import { createBitmapDecoder } from './bitmap-decoder.ts'
import { openKernel } from './engine/kernel/kernel.ts'
import { openNetwork } from './engine/network.ts'
import { createJpegEncoder } from './jpeg-encoder.ts'
import { addressOfWeights, fetchWeights } from './weights.ts'

/** Guidance needs no more; the submitted pictures keep their own size. */
const followedLongestSide = 640

// [Note: One thread] Beside a busy core a second thread waits more than it helps, and isolation is not always given.
const kernel = openKernel()
const decoder = createBitmapDecoder()
const encodeJpeg = createJpegEncoder()
const pipeline = createPipeline(open, () => performance.now())
const analysis = createAnalysis<Bitmap>(pipeline, async (bitmap) => decoder.pixels(bitmap as ImageBitmap))
const stream = createAnalysis<Bitmap>(pipeline, async (bitmap) =>
  decoder.pixels(bitmap as ImageBitmap, followedLongestSide),
)
let last: ImageBitmap | undefined

async function open(name: ModelName) {
  return openNetwork(kernel, await fetchWeights(name))
}

const api: CaptureApi = {
  prepare: (wanted, onProgress) => pipeline.prepare(wanted, onProgress, () => last !== undefined),
  async analyse(bitmap, wanted) {
    const result = await analysis.analyse(bitmap, wanted)
    bitmap.close()
    return result
  },
  async follow(bitmap, wanted) {
    last?.close()
    last = bitmap as ImageBitmap
    return stream.follow(bitmap, wanted)
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
  answer: async (evidence) => answerOnTheSpot(evidence),
}

Comlink.expose(api)

import { darkSurround } from '#models/measures/screen.ts'
import { blur } from '#models/picture/blur.ts'
import type { Feed } from '#models/picture/feed.ts'
import { noiseOf } from '#models/picture/noise.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { AnalysisStages, Box, LiveProbabilities } from '#models/rules/analysis.ts'
import { boundingBox, type Mesh } from '#models/rules/face/mesh.ts'
import type { Tensor } from '../picture/tensor.ts'
import { mirrorImage } from './mirror-image.ts'
import type { Session } from './session.ts'

const feed: Feed = { size: 128, channels: 'BGR', scale: 1, offset: 0 }
/** Crop sizes, as multiples of the face's width. */
const contexts = { wide: 2.7, near: 2, surround: 3 } as const

/**
 * The liveness score of the network: one run for `light`, four for `full`, six for a `still`.
 *
 * [Note: Never pad the liveness crop] A dark bar looks like the edge of a screen, so the crop is shrunk and shifted to
 * stay inside the picture instead.
 */
export async function liveProbabilities(
  session: Session,
  picture: Picture,
  face: Box,
  depth: NonNullable<AnalysisStages['liveness']>,
): Promise<LiveProbabilities> {
  const probability = async (crop: Tensor) => softmaxFirst((await session.run(crop)).logits!.data)
  const crop = picture.stretch(cropAround(face, picture), feed)
  const noise = noiseOf(crop, picture)
  if (depth === 'light') return { raw: await probability(crop), noise }
  const room = picture.lend(crop.data.length)
  const eitherWay = async (crop: Tensor) =>
    ((await probability(crop)) + (await probability(mirrorImage(crop, picture, room)))) / 2
  const sigma = blurFor(noise)
  const soft = blurred(crop, sigma, picture)
  const wide = { raw: await eitherWay(crop), blurred: await eitherWay(soft), noise }
  if (depth === 'full') return wide
  const surround = darkSurround(picture, face, cropAround(face, picture, contexts.surround))
  const nearBox = cropAround(face, picture, contexts.near)
  if (nearBox.width > 0.95 * cropAround(face, picture).width) return { ...wide, darkSurround: surround }
  const near = picture.stretch(nearBox, feed)
  return {
    ...wide,
    near: { raw: await probability(near), blurred: await probability(blurred(near, sigma, picture)) },
    darkSurround: surround,
  }
}

/** The part of the picture that the network sees: a multiple of the face's box, clamped to the picture. */
export function cropAround(
  face: Box,
  picture: { width: number; height: number },
  context: number = contexts.wide,
): Box {
  const scale = Math.min(context, picture.width / face.width, picture.height / face.height)
  const width = face.width * scale
  const height = face.height * scale
  const within = (wanted: number, size: number, limit: number) => Math.max(0, Math.min(limit - size, wanted))
  return {
    x: within(face.x + (face.width - width) / 2, width, picture.width),
    y: within(face.y + (face.height - height) / 2, height, picture.height),
    width,
    height,
  }
}

/** The first of three classes is a living person. */
const softmaxFirst = (logits: Float32Array) => softmaxAt(logits, 0)

/** The softmax probability of a single class. */
export function softmaxAt(logits: Float32Array, place: number): number {
  const highest = Math.max(...logits)
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - highest)
  return Math.exp(logits[place]! - highest) / sum
}

/** Maps a crop's noise in grey levels to the deviation of its Gaussian blur in pixels, interpolated linearly. */
const blurByNoise = [
  { noise: 0.5, sigma: 0.8 },
  { noise: 1, sigma: 1 },
  { noise: 1.8, sigma: 1 },
  { noise: 2.2, sigma: 1.2 },
] as const

/**
 * How strongly to blur a crop. [Note: Blur by the noise] Faint noise lowers the score of a living face as much as a print's score, and strong noise
 * raises both. A matching blur restores the scores of living people and leaves attacks unchanged, as measured on both with the same noise.
 */
function blurFor(noise: number): number {
  const above = blurByNoise.findIndex((point) => noise < point.noise)
  if (above === 0) return blurByNoise[0].sigma
  if (above < 0) return blurByNoise.at(-1)!.sigma
  const [low, high] = [blurByNoise[above - 1]!, blurByNoise[above]!]
  return low.sigma + ((noise - low.noise) / (high.noise - low.noise)) * (high.sigma - low.sigma)
}

/**
 * [Note: A raw and a blurred crop] If noise is added to a replay, this network may mistake the raw crop for live. A slight blur removes the noise,
 * while a living face still looks live. The score takes both into account, each as the mean of a crop and its mirror image.
 */
function blurred({ data, dims }: Tensor, sigma: number, picture: Picture): Tensor {
  const [between, to] = [picture.lend(data.length), picture.lend(data.length)]
  blur(data, between, to, { width: dims[3]!, height: dims[2]! }, sigma, picture.kernel)
  return { data: to, dims }
}

/** Derives the box that the detector would return from a mesh, so that the liveness crop is the same for detected and tracked faces. */
export function boxOfMesh({ points }: Mesh): Box {
  const mesh = boundingBox(points)
  const side = Math.max(mesh.width, mesh.height)
  return {
    x: mesh.x + (mesh.width - side) / 2,
    y: mesh.y + (mesh.height - side) / 2,
    width: side,
    height: side,
  }
}

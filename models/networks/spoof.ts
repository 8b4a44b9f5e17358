import type { Feed, Picture } from '#models/picture/picture.ts'
import { darkSurround } from '#models/picture/screen.ts'
import type { Box, LiveProbabilities, Wanted } from '#models/rules/analysis.ts'
import { boundingBox, type Mesh } from '#models/rules/face/mesh.ts'
import { mirrorImage } from './mirror-image.ts'
import type { Session, Tensor } from './session.ts'

const feed: Feed = { size: 128, channels: 'BGR', scale: 1, offset: 0 }
/** How many faces wide the crops are. */
const contexts = { wide: 2.7, near: 2, surround: 3 } as const

/**
 * How live a face is, as the network sees it: one run where `light`, four where `full`, six where it is a `still`.
 *
 * [Note: Never pad the liveness crop] A dark bar reads as the edge of a screen, so the crop is shrunk and shifted to
 * stay inside the picture instead.
 */
export async function liveProbabilities(
  session: Session,
  picture: Picture,
  face: Box,
  depth: NonNullable<Wanted['liveness']>,
): Promise<LiveProbabilities> {
  const probability = async (crop: Tensor) => softmaxFirst((await session.run(crop)).logits!.data)
  const crop = picture.stretch(cropAround(face, picture), feed)
  if (depth === 'light') return { raw: await probability(crop) }
  const eitherWay = async (crop: Tensor) =>
    ((await probability(crop)) + (await probability(mirrorImage(crop)))) / 2
  const wide = { raw: await eitherWay(crop), blurred: await eitherWay(blurred(crop)) }
  if (depth === 'full') return wide
  const surround = darkSurround(picture, face, cropAround(face, picture, contexts.surround))
  const nearBox = cropAround(face, picture, contexts.near)
  if (nearBox.width > 0.95 * cropAround(face, picture).width) return { ...wide, darkSurround: surround }
  const near = picture.stretch(nearBox, feed)
  return {
    ...wide,
    near: { raw: await probability(near), blurred: await probability(blurred(near)) },
    darkSurround: surround,
  }
}

/** The part of the picture that the network sees: the face's box so many times, or as much as the picture holds. */
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

/** The first of three classes is the living one. */
const softmaxFirst = (logits: Float32Array) => softmaxAt(logits, 0)

/** The probability of a class. */
export function softmaxAt(logits: Float32Array, place: number): number {
  const highest = Math.max(...logits)
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - highest)
  return Math.exp(logits[place]! - highest) / sum
}

/** Five taps of a Gaussian, sigma 0.8 pixels of the crop. */
const taps = [0.0335, 0.2391, 0.4548, 0.2391, 0.0335] as const

/**
 * [Note: A raw and a blurred crop] Noise added to a replay can make this network call the raw crop live; a little blur
 * takes the noise away and leaves a live face live. Whoever decides weighs both; each is the mean of a crop and of its
 * mirror image.
 */
function blurred(crop: Tensor): Tensor {
  const [, channels, height, width] = crop.dims as [number, number, number, number]
  const rows = convolve(crop.data, channels * height, width, 1, width)
  const data = new Float32Array(rows.length)
  const plane = width * height
  for (let c = 0; c < channels; c++) {
    data.set(convolve(rows.subarray(c * plane, (c + 1) * plane), width, height, width, 1), c * plane)
  }
  return { data, dims: crop.dims }
}

/** Convolves `lines` lines of `length` samples, `step` apart, line starts `jump` apart; ends repeat. */
function convolve(
  from: Float32Array,
  lines: number,
  length: number,
  step: number,
  jump: number,
): Float32Array {
  const to = new Float32Array(from.length)
  for (let line = 0; line < lines; line++) {
    const start = line * jump
    const last = start + (length - 1) * step
    for (let i = start; i <= last; i += step) {
      to[i] =
        from[Math.max(start, i - 2 * step)]! * taps[0] +
        from[Math.max(start, i - step)]! * taps[1] +
        from[i]! * taps[2] +
        from[Math.min(last, i + step)]! * taps[3] +
        from[Math.min(last, i + 2 * step)]! * taps[4]
    }
  }
  return to
}

/**
 * The box that the detector would draw, from a mesh: the liveness crop is the same whether a face was detected or
 * followed.
 */
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

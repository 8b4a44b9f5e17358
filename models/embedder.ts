import { type Affine, invert, type Point, similarity } from './geometry.ts'
import { type Mesh, meanPoint, point } from './landmarks.ts'
import type { Feed, Picture } from './picture.ts'
import type { Session, Tensor } from './session.ts'

/** The network of the manifest that embeds faces. */
export const embeddingNetwork = 'fr-feature'
/**
 * The name under which embeddings are stored: of the network, and of the way in which it is used. Embeddings under two
 * names are never compared. [Note: Another way to embed is another model] 2: the mean of picture and mirror image.
 */
export const embeddingModel = 'fr-feature/2'
export const embeddingLength = 512

const feed: Feed = { size: 112, channels: 'BGR', scale: 1 / 128, offset: -127 / 128 }

/** The five points of the ArcFace template for 112 pixels (Deng et al. 2019): eyes, nose, corners of the mouth. */
const template: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
]

/** From the pixels of the aligned 112 x 112 face to those of the picture. */
export function alignment({ points }: Mesh): Affine {
  const face = [
    meanPoint(points, [33, 133, 159, 145]),
    meanPoint(points, [362, 263, 386, 374]),
    point(points, 1),
    point(points, 61),
    point(points, 291),
  ]
  return invert(similarity(face, template))
}

/**
 * The unit embedding (512 numbers) of an aligned face: the mean direction of the face and of its mirror image, which
 * are one batch. [Note: A face and its mirror image] Their errors differ, so that the mean has fewer: measured on all
 * pairs of LFW. Shifted or scaled copies added little to that and are left out.
 */
export async function embed(session: Session, picture: Picture, aligned: Affine): Promise<Float32Array> {
  const output = await session.run(withMirrorImage(picture.warp(aligned, feed)))
  const { data } = output.embedding!
  const plain = toUnit(data.subarray(0, data.length / 2))
  const mirrored = toUnit(data.subarray(data.length / 2))
  return toUnit(plain.map((value, i) => value + mirrored[i]!))
}

/** [1, C, size, size] to [2, C, size, size]: as it is, and with left and right exchanged. */
function withMirrorImage({ data, dims }: Tensor): Tensor {
  const width = dims.at(-1)!
  const both = new Float32Array(2 * data.length)
  both.set(data)
  for (let row = 0; row < data.length; row += width) {
    for (let x = 0; x < width; x++) both[data.length + row + x] = data[row + width - 1 - x]!
  }
  return { data: both, dims: [2, ...dims.slice(1)] }
}

/** Scales a vector to length 1. A zero vector stays zero. */
export function toUnit(vector: ArrayLike<number>): Float32Array {
  let norm = 0
  for (let i = 0; i < vector.length; i++) norm += vector[i]! * vector[i]!
  const scale = norm === 0 ? 0 : 1 / Math.sqrt(norm)
  return Float32Array.from(vector, (value) => value * scale)
}

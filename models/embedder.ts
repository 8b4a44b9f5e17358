import { type Affine, invert, type Point, similarity } from './geometry.ts'
import { type Mesh, meanPoint, point } from './landmarks.ts'
import type { Feed, Picture } from './picture.ts'
import type { Session } from './session.ts'

/** The name under which embeddings of this network are stored; embeddings of two networks are never compared. */
export const embeddingModel = 'fr-feature'
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

/** The unit embedding (512 numbers) of an aligned face. */
export async function embed(session: Session, picture: Picture, aligned: Affine): Promise<Float32Array> {
  const output = await session.run(picture.warp(aligned, feed))
  return toUnit(output.embedding!.data)
}

/** Scales a vector to length 1. A zero vector stays zero. */
export function toUnit(vector: ArrayLike<number>): Float32Array {
  let norm = 0
  for (let i = 0; i < vector.length; i++) norm += vector[i]! * vector[i]!
  const scale = norm === 0 ? 0 : 1 / Math.sqrt(norm)
  return Float32Array.from(vector, (value) => value * scale)
}

import { type Affine, invert, type Point, similarity } from './geometry.ts'
import { type Mesh, meanPoint, point } from './landmarks.ts'
import { mirrorImage } from './mirror-image.ts'
import type { Feed, Picture } from './picture.ts'
import type { ModelName, Session, Tensor } from './session.ts'

/**
 * The name under which embeddings are stored: of the network, and of the way in which it is used. Embeddings under two
 * names are never compared. [Note: Another way to embed is another model] 2: the mean of picture and mirror image.
 */
export type EmbeddingModel = 'fr-feature/2' | 'dlib-face/2'

export interface Embedder {
  /** The network of the manifest. */
  readonly network: ModelName
  /** How many numbers an embedding has. */
  readonly length: number
  readonly feed: Feed
  /** Where the eyes, the nose and the corners of the mouth go, in pixels of the input. */
  readonly template: readonly Point[]
}

/** The template of ArcFace for 112 pixels (Deng et al. 2019). */
const arcFaceTemplate: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
]

/** The mean shape to which dlib aligns, for 150 pixels (King 2017). */
const dlibTemplate: readonly Point[] = [
  { x: 47.55, y: 46.6 },
  { x: 100.48, y: 46.6 },
  { x: 74.01, y: 76.56 },
  { x: 50.41, y: 103.02 },
  { x: 97.61, y: 103.02 },
]

export const embedders: Readonly<Record<EmbeddingModel, Embedder>> = {
  'fr-feature/2': {
    network: 'fr-feature',
    length: 512,
    feed: { size: 112, channels: 'BGR', scale: 1 / 128, offset: -127 / 128 },
    template: arcFaceTemplate,
  },
  'dlib-face/2': {
    network: 'dlib-face',
    length: 128,
    feed: { size: 150, channels: 'RGB', scale: 1, offset: 0 },
    template: dlibTemplate,
  },
}

/** The model of the standard pack. */
export const embeddingModel: EmbeddingModel = 'fr-feature/2'

/** From the pixels of the aligned face, 112 x 112 where no other template is given, to those of the picture. */
export function alignment({ points }: Mesh, template: readonly Point[] = arcFaceTemplate): Affine {
  const face = [
    meanPoint(points, [33, 133, 159, 145]),
    meanPoint(points, [362, 263, 386, 374]),
    point(points, 1),
    point(points, 61),
    point(points, 291),
  ]
  return invert(similarity(face, template))
}

/** What a network makes of a face. */
export interface Template {
  /** Unit vector. */
  readonly embedding: Float32Array
  /** Mean length of the network's own vectors: how much of a face it saw; see frame-quality.ts. */
  readonly strength: number
}

/**
 * The unit embedding of a face: the mean direction of the aligned face and of its mirror image, which are one batch.
 * [Note: A face and its mirror image] Their errors differ, so that the mean has fewer: measured on all pairs of LFW.
 * Shifted or scaled copies added little to that and are left out.
 */
export async function embed(
  session: Session,
  picture: Picture,
  mesh: Mesh,
  { feed, template }: Embedder = embedders[embeddingModel],
): Promise<Template> {
  const output = await session.run(withMirrorImage(picture.warp(alignment(mesh, template), feed)))
  const { data } = output.embedding!
  const [plain, mirrored] = [data.subarray(0, data.length / 2), data.subarray(data.length / 2)]
  const [face, image] = [toUnit(plain), toUnit(mirrored)]
  return {
    embedding: toUnit(face.map((value, i) => value + image[i]!)),
    strength: (lengthOf(plain) + lengthOf(mirrored)) / 2,
  }
}

/** [1, C, size, size] to [2, C, size, size]: as it is, and with left and right exchanged. */
function withMirrorImage(face: Tensor): Tensor {
  const both = new Float32Array(2 * face.data.length)
  both.set(face.data)
  both.set(mirrorImage(face).data, face.data.length)
  return { data: both, dims: [2, ...face.dims.slice(1)] }
}

/** Scales a vector to length 1. A zero vector stays zero. */
export function toUnit(vector: ArrayLike<number>): Float32Array {
  const length = lengthOf(vector)
  const scale = length === 0 ? 0 : 1 / length
  return Float32Array.from(vector, (value) => value * scale)
}

function lengthOf(vector: ArrayLike<number>): number {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!
  return Math.sqrt(squares)
}

import { type Affine, invert, type Point, similarity } from '#models/picture/geometry.ts'
import type { Feed, Picture } from '#models/picture/picture.ts'
import { type EmbeddingModel, embeddingModel, lengthOf, toUnit } from '#models/rules/embedding.ts'
import { type Mesh, meanPoint, point } from '#models/rules/face/mesh.ts'
import { mirrorImage } from './mirror-image.ts'
import type { ModelName, Session, Tensor } from './session.ts'

export interface Embedder {
  /** The network of the manifest. */
  readonly network: ModelName
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
    feed: { size: 112, channels: 'BGR', scale: 1 / 128, offset: -127 / 128 },
    template: arcFaceTemplate,
  },
  'dlib-face/2': {
    network: 'dlib-face',
    feed: { size: 150, channels: 'RGB', scale: 1, offset: 0 },
    template: dlibTemplate,
  },
}

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

import type { Feed } from '#models/picture/feed.ts'
import { type Affine, invert, type Point, similarity } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import {
  type EmbeddingModel,
  embeddingModel,
  lengthOf,
  type SecondModel,
  toUnit,
} from '#models/rules/embedding.ts'
import { type Mesh, meanPoint, point } from '#models/rules/face/mesh.ts'
import type { Tensor } from '../picture/tensor.ts'
import { mirrorImage } from './mirror-image.ts'
import type { ModelName, Session } from './session.ts'

export interface Embedder {
  /** The network's name in the manifest. */
  readonly network: ModelName
  readonly feed: Feed
  /** The per-channel mean and deviation used to normalise the input. Absent if `feed` is enough. */
  readonly normal?: { readonly mean: readonly number[]; readonly deviation: readonly number[] }
  /** The name of the network's output. */
  readonly output: string
  /** True if the network processes a face and its mirror image in a single run. */
  readonly takesTwo: boolean
  /** The target positions of the eyes, the nose and the corners of the mouth, in input pixels. */
  readonly template: readonly Point[]
}

/** ArcFace's template for 112 pixels (Deng et al. 2019). */
const arcFaceTemplate: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
]

/** The mean shape that dlib aligns to, for 150 pixels (King 2017). */
const dlibTemplate: readonly Point[] = [
  { x: 47.55, y: 46.6 },
  { x: 100.48, y: 46.6 },
  { x: 74.01, y: 76.56 },
  { x: 50.41, y: 103.02 },
  { x: 97.61, y: 103.02 },
]

/** ImageNet's statistics for red, green and blue in 0...1, as torchvision's networks expect them. */
const imageNet = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const

export const embedders: Readonly<Record<EmbeddingModel | SecondModel, Embedder>> = {
  'fr-feature/2': {
    network: 'fr-feature',
    feed: { size: 112, channels: 'BGR', scale: 1 / 128, offset: -127 / 128 },
    output: 'embedding',
    takesTwo: true,
    template: arcFaceTemplate,
  },
  'dlib-face/2': {
    network: 'dlib-face',
    feed: { size: 150, channels: 'RGB', scale: 1, offset: 0 },
    output: 'embedding',
    takesTwo: true,
    template: dlibTemplate,
  },
  'foamliu-face/1': {
    network: 'foamliu-face',
    feed: { size: 112, channels: 'RGB', scale: 1 / 255, offset: 0 },
    normal: imageNet,
    output: 'output0',
    takesTwo: false,
    template: arcFaceTemplate,
  },
}

/** Maps pixels of the aligned face (112 x 112 unless another template is given) to pixels of the picture. */
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

/** A network's representation of a face. */
export interface Template {
  /** Unit vector. */
  readonly embedding: Float32Array
  /** The mean length of the network's raw vectors, which shows how much of the face the network saw. See frame-quality.ts. */
  readonly strength: number
}

/**
 * A face's unit embedding: the mean direction of the aligned face and its mirror image, processed as one batch.
 * [Note: A face and its mirror image] Their errors differ, so the mean is more accurate, as measured on all pairs in LFW. Adding shifted or scaled
 * copies brought little improvement.
 */
export async function embed(
  session: Session,
  picture: Picture,
  mesh: Mesh,
  embedder: Embedder = embedders[embeddingModel],
): Promise<Template> {
  const face = picture.warp(alignment(mesh, embedder.template), embedder.feed)
  if (embedder.normal !== undefined) normalise(face, embedder.normal)
  const [plain, mirrored] = await bothVectors(session, face, embedder, picture)
  const [straight, image] = [toUnit(plain), toUnit(mirrored)]
  return {
    embedding: toUnit(straight.map((value, i) => value + image[i]!)),
    strength: (lengthOf(plain) + lengthOf(mirrored)) / 2,
  }
}

/** The network's vectors for a face and for its mirror image. */
async function bothVectors(
  session: Session,
  face: Tensor,
  { output, takesTwo }: Embedder,
  picture: Picture,
): Promise<readonly [Float32Array, Float32Array]> {
  const run = async (input: Tensor) => (await session.run(input))[output]!.data
  if (!takesTwo) return [await run(face), await run(mirrorImage(face, picture))]
  const data = await run(withMirrorImage(face, picture))
  return [data.subarray(0, data.length / 2), data.subarray(data.length / 2)]
}

/** Normalises the channels in place. */
function normalise({ data, dims }: Tensor, { mean, deviation }: NonNullable<Embedder['normal']>): void {
  const plane = dims[2]! * dims[3]!
  for (let i = 0; i < data.length; i++) {
    const channel = Math.floor(i / plane)
    data[i] = (data[i]! - mean[channel]!) / deviation[channel]!
  }
}

/** Turns [1, C, size, size] into [2, C, size, size]: the original and its mirror image. */
function withMirrorImage(face: Tensor, picture: Picture): Tensor {
  const { length } = face.data
  const both = picture.lend(2 * length)
  both.set(face.data)
  mirrorImage(face, picture, both.subarray(length))
  return { data: both, dims: [2, ...face.dims.slice(1)] }
}

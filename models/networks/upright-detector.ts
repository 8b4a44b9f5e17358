import type { Feed } from '#models/picture/feed.ts'
import { overlap } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { Box } from '#models/rules/analysis.ts'
import type { Tensor } from '../picture/tensor.ts'
import type { Detection } from './detector.ts'
import type { Session } from './session.ts'

/** Each layer's stride and the sides of its anchor squares, in input pixels. */
const layers = [
  { stride: 8, sides: [10, 16, 24] },
  { stride: 16, sides: [32, 48] },
  { stride: 32, sides: [64, 96] },
  { stride: 64, sides: [128, 192, 256] },
] as const
/** How the network scales its outputs: offsets by the anchor's side, sizes by the logarithm of the growth. */
const variances = { centre: 0.1, size: 0.2 } as const
/** Both sides of the input must be multiples of the first stride. */
const multiple = layers[0].stride
/** Tolerates rounding errors in a side that is a whole number of strides. */
const roundingError = 1e-6
/** Boxes that overlap by more than this are treated as the same face. */
const sameOverlap = 0.3

/**
 * Converts one of this network's boxes, which extend from hairline to chin, to the BlazeFace square that the mesh and the second looks expect. These
 * are medians over 81 faces that both networks are sure about.
 */
const asSquare = { width: 1 / 0.876, height: 1 / 1.214, shift: 0.052 } as const

export interface UprightOptions {
  /** The longer side of the input in pixels. Finds faces from 10 pixels up to about half of this. */
  readonly longest: number
  /** 0...1 */
  readonly minimumConfidence: number
}

/**
 * Finds upright faces of very different sizes in one run, best first; without keypoints. The network accepts inputs of
 * any size and shape, so nothing is padded. Invalidates earlier crops of the picture. (Linzaer 2019,
 * "Ultra-Light-Fast-Generic-Face-Detector-1MB", after Liu et al. 2018, "Receptive Field Block Net".)
 */
export async function detectUpright(
  session: Session,
  picture: Picture,
  { longest, minimumConfidence }: UprightOptions,
): Promise<Detection[]> {
  const scale = Math.max(picture.width, picture.height) / longest
  const [size, rows] = [inputSide(picture.width / scale), inputSide(picture.height / scale)]
  const feed: Feed = { size, rows, channels: 'RGB', scale: 1 / 128, offset: -127 / 128 }
  picture.takeBack()
  const output = await session.run(picture.warp([scale, 0, 0, 0, scale, 0], feed))
  const candidates = decode(output.scores!, output.regressors!, { size, rows }, minimumConfidence)
  return withoutOverlaps(candidates).map(({ box, confidence }) => ({
    box: squareOf(box, scale),
    confidence,
    keypoints: [],
    upright: confidence,
  }))
}

function inputSide(pixels: number): number {
  return Math.max(1, Math.ceil(pixels / multiple - roundingError)) * multiple
}

interface Candidate {
  readonly box: Box
  readonly confidence: number
}

function decode(
  scores: Tensor,
  regressors: Tensor,
  input: { readonly size: number; readonly rows: number },
  minimum: number,
): Candidate[] {
  const minimumLogit = Math.log(minimum / (1 - minimum))
  const found: Candidate[] = []
  let i = 0
  for (const { stride, sides } of layers) {
    const columns = Math.ceil(input.size / stride)
    const places = columns * Math.ceil(input.rows / stride)
    for (let place = 0; place < places; place++) {
      for (const side of sides) {
        const logit = scores.data[2 * i + 1]! - scores.data[2 * i]!
        if (logit >= minimumLogit) {
          const centre = { x: (place % columns) + 0.5, y: Math.floor(place / columns) + 0.5 }
          const box = boxFrom(regressors.data.subarray(4 * i), centre, stride, side)
          found.push({ confidence: 1 / (1 + Math.exp(-logit)), box })
        }
        i++
      }
    }
  }
  return found.sort((a, b) => b.confidence - a.confidence)
}

function boxFrom(
  values: Float32Array,
  centre: { readonly x: number; readonly y: number },
  stride: number,
  side: number,
): Box {
  const width = side * Math.exp(values[2]! * variances.size)
  const height = side * Math.exp(values[3]! * variances.size)
  return {
    x: centre.x * stride + values[0]! * variances.centre * side - width / 2,
    y: centre.y * stride + values[1]! * variances.centre * side - height / 2,
    width,
    height,
  }
}

function withoutOverlaps(sorted: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = []
  for (const next of sorted)
    if (!kept.some(({ box }) => overlap(box, next.box) > sameOverlap)) kept.push(next)
  return kept
}

/** The result is in picture pixels. `scale` is the number of picture pixels per input pixel. */
function squareOf({ x, y, width, height }: Box, scale: number): Box {
  const side = (scale * (width * asSquare.width + height * asSquare.height)) / 2
  const centreY = scale * (y + height / 2) + side * asSquare.shift
  return { x: scale * (x + width / 2) - side / 2, y: centreY - side / 2, width: side, height: side }
}

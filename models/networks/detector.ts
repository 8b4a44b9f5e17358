import type { Feed } from '#models/picture/feed.ts'
import {
  type Affine,
  overlap,
  type Point,
  type Region,
  regionToPicture,
  transform,
} from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { Box } from '#models/rules/analysis.ts'
import type { Tensor } from '../picture/tensor.ts'
import type { Session } from './session.ts'

/** A face as BlazeFace reports it, in pixels of the picture. */
export interface Detection {
  readonly box: Box
  readonly confidence: number
  /**
   * Right eye, left eye, nose tip, mouth centre, right ear, left ear, from the person's point of view. Empty if the network only finds upright
   * faces.
   */
  readonly keypoints: readonly Point[]
  /** How confident the upright-face network is in this face. Absent if it missed the face, which is normal for one that fills the picture. */
  readonly upright?: number
}

export interface DetectorKind {
  readonly name: 'blazeface-short' | 'blazeface-full'
  readonly size: number
  readonly anchors: Float32Array
}

const feedOf = (size: number): Feed => ({ size, channels: 'RGB', scale: 1 / 127.5, offset: -1 })

/** MediaPipe's short-range network: one face or a few, at arm's length. */
export const shortRange: DetectorKind = {
  name: 'blazeface-short',
  size: 128,
  anchors: anchors(128, [
    [8, 2],
    [16, 6],
  ]),
}

/** MediaPipe's full-range network: smaller faces, further away. */
export const fullRange: DetectorKind = { name: 'blazeface-full', size: 192, anchors: anchors(192, [[4, 1]]) }

export interface DetectOptions {
  /** 0...1; defaults to 0.5. */
  readonly minimumConfidence?: number
  /** The part of the picture to search, possibly rotated. Defaults to the whole picture. */
  readonly within?: Box | Region
}

/**
 * Finds faces, best first. The picture is fitted into the square input with black bars. Overlapping candidates are merged, weighted by their scores
 * (Bazarevsky et al. 2019, "BlazeFace"). Invalidates the picture's earlier crops.
 */
export async function detect(
  session: Session,
  kind: DetectorKind,
  picture: Picture,
  options: DetectOptions = {},
): Promise<Detection[]> {
  const within = options.within ?? { x: 0, y: 0, width: picture.width, height: picture.height }
  const map = 'rotation' in within ? regionToPicture(within, kind.size) : letterbox(within, kind.size)
  picture.takeBack()
  const output = await session.run(picture.warp(map, feedOf(kind.size)))
  const candidates = decode(output.regressors!, output.scores!, kind, options.minimumConfidence ?? 0.5)
  return merge(candidates).map((candidate) => place(candidate, map))
}

function letterbox(box: Box, size: number): Affine {
  const scale = Math.max(box.width, box.height) / size
  return [scale, 0, box.x - (size * scale - box.width) / 2, 0, scale, box.y - (size * scale - box.height) / 2]
}

interface Candidate {
  readonly score: number
  /** x, y, width, height, followed by six points, all in pixels of the network's input. */
  readonly values: Float32Array
}

function decode(regressors: Tensor, scores: Tensor, kind: DetectorKind, minimum: number): Candidate[] {
  const found: Candidate[] = []
  const minimumLogit = Math.log(minimum / (1 - minimum))
  for (let i = 0; i < kind.anchors.length / 2; i++) {
    const logit = scores.data[i]!
    if (logit < minimumLogit) continue
    const values = regressors.data.slice(i * 16, i * 16 + 16)
    const anchorX = kind.anchors[2 * i]!
    const anchorY = kind.anchors[2 * i + 1]!
    values[0] = values[0]! + anchorX - values[2]! / 2
    values[1] = values[1]! + anchorY - values[3]! / 2
    for (let k = 4; k < 16; k += 2) {
      values[k] = values[k]! + anchorX
      values[k + 1] = values[k + 1]! + anchorY
    }
    found.push({ score: 1 / (1 + Math.exp(-logit)), values })
  }
  return found.sort((a, b) => b.score - a.score)
}

const mergeOverlap = 0.3

function merge(sorted: Candidate[]): Candidate[] {
  const kept: Candidate[] = []
  let rest = sorted
  while (rest.length > 0) {
    const best = rest[0]!
    const group = rest.filter((other) => overlap(boxOf(best.values), boxOf(other.values)) > mergeOverlap)
    rest = rest.filter((other) => !group.includes(other) && other !== best)
    kept.push(average(best, group))
  }
  return kept
}

function average(best: Candidate, group: readonly Candidate[]): Candidate {
  const values = new Float32Array(16)
  let total = 0
  for (const { score, values: from } of group) {
    total += score
    for (let k = 0; k < 16; k++) values[k] = values[k]! + from[k]! * score
  }
  return { score: best.score, values: total === 0 ? best.values : values.map((value) => value / total) }
}

function boxOf(values: Float32Array): Box {
  return { x: values[0]!, y: values[1]!, width: values[2]!, height: values[3]! }
}

function place({ score, values }: Candidate, map: Affine): Detection {
  const centre = transform(map, values[0]! + values[2]! / 2, values[1]! + values[3]! / 2)
  const scale = Math.hypot(map[0], map[3])
  const [width, height] = [values[2]! * scale, values[3]! * scale]
  const keypoints: Point[] = []
  for (let k = 4; k < 16; k += 2) keypoints.push(transform(map, values[k]!, values[k + 1]!))
  return {
    confidence: score,
    box: { x: centre.x - width / 2, y: centre.y - height / 2, width, height },
    keypoints,
  }
}

function anchors(
  size: number,
  layers: readonly (readonly [stride: number, perCell: number])[],
): Float32Array {
  const centres: number[] = []
  for (const [stride, perCell] of layers) {
    const cells = size / stride
    for (let y = 0; y < cells; y++) {
      for (let x = 0; x < cells; x++) {
        for (let k = 0; k < perCell; k++) centres.push((x + 0.5) * stride, (y + 0.5) * stride)
      }
    }
  }
  return Float32Array.from(centres)
}

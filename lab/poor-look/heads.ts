import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paintMesh } from '#lab/pictures/paint-mesh.ts'
import type { Raster } from '#lab/pictures/raster.ts'
import { type RgbaFrame, rgbaOf } from '../../models/picture/frame.ts'
import { Picture } from '../../models/picture/picture.ts'
import type { Pipeline } from '../../models/pipeline/pipeline.ts'
import { boundingBox } from '../../models/rules/face/mesh.ts'
import { decodeImage } from '../../workers/node/image-decoder.ts'
import { type Head, harms } from './harms.ts'

/** The side of a head picture, in pixels. */
const side = 250
/** A picture's side divided by the longer side of its face. */
const margin = 2
/** Faces with fewer pixels than this on their longer side are not used as the texture of drawn heads. */
const leastPixels = 90

export interface NamedHead extends Head {
  readonly name: string
}

/** Cuts each complete face in a folder's pictures out into its own picture. */
export async function headsIn(
  folder: string,
  pipeline: Pipeline,
): Promise<readonly (NamedHead & { isSharp: boolean })[]> {
  const heads: (NamedHead & { isSharp: boolean })[] = []
  const files = readdirSync(folder).filter((file) => /\.(jpg|png)$/.test(file) && !file.includes('partial'))
  for (const file of files.sort()) {
    const frame = await decodeImage(readFileSync(join(folder, file)))
    const { faces } = await pipeline.analyse(frame, { group: true, faces: 100 })
    for (const [i, { landmarks }] of faces.entries()) {
      const { x, y, width, height } = boundingBox(landmarks)
      const scale = (margin * Math.max(width, height)) / side
      const [left, top] = [x + width / 2 - (scale * side) / 2, y + height / 2 - (scale * side) / 2]
      const feed = { size: side, channels: 'RGB', scale: 1, offset: 0 } as const
      const { data } = new Picture(frame).warp([scale, 0, left, 0, scale, top], feed)
      const points = landmarks.map((value, at) => (value - [left, top, 0][at % 3]!) / scale)
      heads.push({
        name: `${file} ${i}`,
        frame: frameOf(data),
        mesh: { points, presence: 1 },
        isSharp: Math.max(width, height) >= leastPixels,
      })
    }
  }
  return heads
}

/**
 * Invented heads: the skin of two faces painted onto the shape of a third, stretched, turned and lit differently.
 * [Note: Few people may be learned from] With only these few heads, their looks would be mistaken for the look of
 * poor pictures.
 */
export async function drawnHeads(
  heads: Awaited<ReturnType<typeof headsIn>>,
  count: number,
  random: () => number,
): Promise<readonly NamedHead[]> {
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const between = (low: number, high: number) => low + (high - low) * random()
  const sharpHeads = heads.filter(({ isSharp }) => isSharp)
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const [skin, other, shape] = [any(sharpHeads), any(heads), any(heads)]
      const [yaw, width, height] = [between(-0.45, 0.45), between(0.88, 1.12), between(0.9, 1.1)]
      const points = stretched(mixed(skin, shape, random()), { yaw, width, height })
      const surroundings = await harms.blurred!(skin, () => 0.9)
      const [one, two] = [skin, other].map((head) => {
        const raster = rasterOf(surroundings)
        paintMesh(raster, rasterOf(head.frame), head.mesh.points, points)
        return raster
      })
      const [share, gamma] = [between(0.2, 0.8), 2 ** between(-1, 1)]
      const gains = [between(0.9, 1.1), 1, between(0.85, 1.15)]
      const rgba = new Uint8Array(4 * side * side).fill(255)
      for (let p = 0; p < 3 * side * side; p++) {
        const light = ((1 - share) * one!.rgb[p]! + share * two!.rgb[p]!) / 255
        rgba[4 * Math.floor(p / 3) + (p % 3)] = Math.min(255, 255 * light ** gamma * gains[p % 3]!)
      }
      return {
        name: `drawn ${i}`,
        frame: rgbaOf({ width: side, height: side, rgba }),
        mesh: { points, presence: 1 },
      }
    }),
  )
}

/** Interpolates between the landmarks of two heads, about the centre of the face. */
function mixed(one: Head, other: Head, share: number): Float32Array {
  const [a, b] = [centred(one), centred(other)]
  return a.map((value, i) => (1 - share) * value + share * b[i]!)
}

function centred({ mesh: { points } }: Head): Float32Array {
  const centre = [0, 0, 0]
  for (const [i, value] of points.entries()) centre[i % 3]! += value / (points.length / 3)
  return points.map((value, i) => value - centre[i % 3]!)
}

function stretched(
  points: Float32Array,
  { yaw, width, height }: { yaw: number; width: number; height: number },
): Float32Array {
  const to = new Float32Array(points.length)
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)]
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i]!, points[i + 1]!, points[i + 2]!]
    to.set([side / 2 + width * (x * cos - z * sin), side / 2 + height * y, x * sin + z * cos], i)
  }
  return to
}

/** Converts red, green and blue planes to a frame. */
function frameOf(data: Float32Array): RgbaFrame {
  const rgba = new Uint8Array(4 * side * side).fill(255)
  for (let p = 0; p < side * side; p++)
    for (let channel = 0; channel < 3; channel++)
      rgba[4 * p + channel] = Math.round(data[channel * side * side + p]!)
  return rgbaOf({ width: side, height: side, rgba })
}

function rasterOf({ width, height, rgba }: RgbaFrame): Raster {
  return { width, height, rgb: rgba.filter((_, i) => i % 4 !== 3) as Uint8Array }
}

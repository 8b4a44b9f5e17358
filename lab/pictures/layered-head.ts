import Delaunator from 'delaunator'
import { outline } from './bend.ts'
import { filledIn } from './fill-in.ts'
import { type HeadMeasures, measuresOf, type Place, placeOf, turned } from './head.ts'
import { type Lamp, lightAtCorners } from './lambert.ts'
import { expressing, type Movement } from './move-face.ts'
import { coverOf, type Layer, paintLayer } from './paint-layer.ts'
import type { Points } from './paint-mesh.ts'
import { copyOf, type Raster } from './raster.ts'
import { smooth } from './smooth.ts'

/** A head cut out of its photograph with receding skull and hair, and the filled-in room behind it. */
export interface LayeredHead {
  readonly picture: Raster
  readonly room: Raster
  readonly points: Points
  readonly triangles: Uint32Array
  /** For each point, its opacity and how much of the head's turn it follows. The neck hardly follows at all. */
  readonly cover: Float32Array
  readonly follows: Float32Array
  readonly measures: HeadMeasures
}

/** Rings for the skull and hair: the distance relative to the outline, the depth in face widths, and the opacity. */
const rings = [
  { times: 1.1, back: 0.16, cover: 1 },
  { times: 1.22, back: 0.36, cover: 1 },
  { times: 1.36, back: 0.62, cover: 0.85 },
  { times: 1.5, back: 0.85, cover: 0 },
] as const
/** Hair extends farther above the face than the chin does below. */
const hair = 0.28
const chin = 152
/** A head turns about its spine, which is behind the cheeks. */
const spineBehind = 0.12
/** In face widths below the chin: points below `still` do not turn, and points below `kept` belong to the room. */
const neck = { still: 0.34, kept: 0.1 } as const

export function layeredHead(picture: Raster, face: Points): LayeredHead {
  const plain = measuresOf(face)
  const { width, pivot } = plain
  const measures = { ...plain, pivot: [pivot[0], pivot[1], pivot[2] + spineBehind * width] as const }
  const ringed = rings.flatMap(({ times, back, cover }) =>
    ringOf(face, measures, times, back).map((place) => ({ place, cover })),
  )
  const points = Float32Array.from([...face, ...ringed.flatMap(({ place }) => place)])
  const flat = Float64Array.from(
    { length: (2 * points.length) / 3 },
    (_, i) => points[3 * (i >> 1) + (i & 1)]!,
  )
  const faceCount = face.length / 3
  const lowest = face[3 * chin + 1]!
  const cover = Float32Array.from({ length: points.length / 3 }, (_, i) => ringed[i - faceCount]?.cover ?? 1)
  const follows = cover.map((_, i) =>
    i < faceCount ? 1 : 1 - smooth((points[3 * i + 1]! - lowest) / (neck.still * width)),
  )
  const triangles = new Delaunator(flat).triangles
  const covered = coverOf({ triangles, from: points, to: points, cover }, picture.width, picture.height)
  const room = filledIn(picture, openPlaces(covered, picture.width, lowest + neck.kept * width))
  return { picture, room, points, triangles, cover, follows, measures }
}

function ringOf(
  face: Points,
  { width, centre: [mx, my], pivot }: HeadMeasures,
  times: number,
  back: number,
): Place[] {
  return outline.map((i) => {
    const [x, y, z] = placeOf(face, i)
    const higher = y < my ? 1 + hair * (times - 1) * ((my - y) / width) : 1
    return [mx + (x - mx) * times, my + (y - my) * times * higher, (z + pivot[2]) / 2 + back * width]
  })
}

function openPlaces(covered: Float32Array, width: number, keptBelow: number): Float32Array {
  return covered.map((share, pixel) => (share > 0.02 && Math.floor(pixel / width) < keptBelow ? 0 : 1))
}

/** A lamp, and how much of its effect on the skin is drawn, 0...1. */
export interface Light {
  readonly lamp: Lamp
  readonly strength: number
}

/** How the head moves in addition to its turn: lean in degrees and drift in pixels. */
export interface Sway {
  readonly lean: number
  readonly x: number
  readonly y: number
}

/** The camera's distance, in face widths. */
const cameraAt = 5

/** Draws the head in a given pose in front of its room. At rest, every point stays on its ray, so the photograph does not change. */
export function drawHead(
  head: LayeredHead,
  { lamp, strength }: Light,
  movement: Movement,
  sway: Sway,
): Raster {
  const { points, triangles, cover } = head
  const before = aboutPivot(head, points)
  const after = aboutPivot(head, expressing(points, movement), movement, sway.lean)
  const lit = lightAtCorners(after, triangles, lamp)
  const was = lightAtCorners(before, triangles, lamp)
  const light = lit.map((value, i) => 1 + strength * (Math.max(0.5, Math.min(1.6, value / was[i]!)) - 1))
  const onto = copyOf(head.room)
  const layer: Layer = {
    triangles,
    from: points,
    to: seen(head, before, after, movement.size, sway),
    light,
    cover,
  }
  paintLayer(onto, head.picture, layer)
  return onto
}

/** Rotates the points about the pivot, each by its own share of the turn, and then applies the lean. */
function aboutPivot(
  { measures, follows }: LayeredHead,
  points: Points,
  movement?: Movement,
  lean = 0,
): Points {
  const { pivot } = measures
  const placed = Float32Array.from(points)
  for (let i = 0; i < points.length / 3; i++) {
    const [x, y, z] = placeOf(points, i)
    const relative: Place = [x - pivot[0], y - pivot[1], z - pivot[2]]
    const [tx, ty, tz] = movement === undefined ? relative : turned(relative, movement, follows[i]!)
    const angle = (lean * follows[i]! * Math.PI) / 180
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
    placed.set([tx * cos - ty * sin, tx * sin + ty * cos, tz], 3 * i)
  }
  return placed
}

function seen(
  { measures }: LayeredHead,
  before: Points,
  after: Points,
  nearer: number,
  { x, y }: Sway,
): Points {
  const { pivot, width } = measures
  const far = cameraAt * width
  const to = Float32Array.from(after)
  for (let i = 0; i < to.length; i += 3) {
    const nearness = (far + before[i + 2]!) / (far / nearer + after[i + 2]!)
    to[i] = pivot[0] + after[i]! * nearness + x
    to[i + 1] = pivot[1] + after[i + 1]! * nearness + y
  }
  return to
}

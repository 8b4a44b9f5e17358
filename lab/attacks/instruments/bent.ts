import Delaunator from 'delaunator'
import { type HeadMeasures, measuresOf, outlineAt, type Place, placeOf, turned } from '#lab/pictures/head.ts'
import { expressing, type Movement } from '#lab/pictures/move-face.ts'
import { paintLayer } from '#lab/pictures/paint-layer.ts'
import type { Points } from '#lab/pictures/paint-mesh.ts'
import { copyOf, type Raster } from '#lab/pictures/raster.ts'
import { between } from '#lab/pictures/sensor.ts'
import { enlargedWhole, type Portrait } from '../people/portraits.ts'
import { photographed, type Recipe } from './photographed.ts'

/** How far hair and ears are from the centre of the face, relative to its outline. They recede as the distance grows. */
const rings = [1.18, 1.42] as const
const fallsBack = 0.6
/** Nothing moves beyond this distance. */
const stillFrom = 2
/** The camera's distance, in face widths. */
const cameraAt = 4

/** The face, hair and ears as a single mesh over the whole picture. */
interface BentHead {
  readonly points: Points
  /** The number of moving points, which come first. All others are fixed. */
  readonly moving: number
  readonly triangles: Uint32Array
  readonly measures: HeadMeasures
}

function bentHead({ points, picture }: Portrait): BentHead {
  const measures = measuresOf(points)
  const { width, pivot } = measures
  const ringed = rings.flatMap((times) =>
    outlineAt(points, measures, times).map(
      ([x, y]): Place => [x, y, pivot[2] + width * (times - 1) * fallsBack],
    ),
  )
  const held = [...outlineAt(points, measures, stillFrom), ...cornersAbout(picture)]
  const all = Float32Array.from([...points, ...ringed.flat(), ...held.flat()])
  const flat = Float64Array.from({ length: (2 * all.length) / 3 }, (_, i) => all[3 * (i >> 1) + (i & 1)]!)
  return {
    points: all,
    moving: points.length / 3 + ringed.length,
    triangles: new Delaunator(flat).triangles,
    measures,
  }
}

/** Points just inside and outside the picture's borders. */
function cornersAbout({ width, height }: Raster): Place[] {
  const places = [-1, 0, 0.5, 1, 2]
  return places.flatMap((x) => places.map((y): Place => [x * width, y * height, 0]))
}

/** A depth behind everything that moves. */
const farAway = 1e6

/** Moves the points. `x` and `y` are the head's drift in pixels. */
function movedHead({ points, moving, measures }: BentHead, movement: Movement, x: number, y: number): Points {
  const { pivot, width } = measures
  const moved = expressing(points, movement)
  const far = cameraAt * width
  for (let i = 0; i < points.length / 3; i++) {
    if (i >= moving) {
      moved[3 * i + 2] = farAway
      continue
    }
    const [px, py, pz] = placeOf(moved, i)
    const [tx, ty, tz] = turned([px - pivot[0], py - pivot[1], pz - pivot[2]], movement)
    const nearness = (movement.size * far) / (far + tz)
    moved.set([pivot[0] + tx * nearness + x, pivot[1] + ty * nearness + y, tz], 3 * i)
  }
  return moved
}

/** A living head is never completely still. In degrees and pixels, in either direction. */
const unrest = { straight: 1.5, acting: 0.75, drift: 1.5 } as const

export const bentRecipe: Recipe = (portrait, random) => {
  const head = bentHead(portrait)
  return (movement, share) => {
    const degrees = share === 0 ? unrest.straight : unrest.acting
    const restless = () => between(-degrees, degrees, random)
    const drift = () => between(-unrest.drift, unrest.drift, random)
    const pose = { ...movement, yaw: movement.yaw + restless(), pitch: movement.pitch + restless() }
    const onto = copyOf(portrait.picture)
    const to = movedHead(head, pose, drift(), drift())
    paintLayer(onto, portrait.picture, { triangles: head.triangles, from: head.points, to })
    return onto
  }
}

/** The first script written by a forger. A single mesh bends the surroundings along with the face. */
export const bent = photographed(
  'bent',
  'One photograph; its face, hair and ears are one mesh that is turned in 3D, what is around is bent along. By itself it sends no film.',
  bentRecipe,
  { frame: enlargedWhole, film: 'none', atOnce: 2 },
)

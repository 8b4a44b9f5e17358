import { randomNumbers } from '#shared/random-numbers.ts'
import type { Forgery, Instrument, Moment } from '../forgery.ts'
import type { Materials } from '../people/materials.ts'
import { type Portrait, pressPortraits } from '../people/portraits.ts'
import { atRest, type Movement, moveFace, movementFor } from '../pictures/move-face.ts'
import { paintMesh } from '../pictures/paint-mesh.ts'
import { copyOf, type Raster, toJpeg } from '../pictures/raster.ts'
import { between, expose } from '../pictures/sensor.ts'

/** How far the action is in each picture; the last one holds it. */
const ramp = [0.3, 0.6, 0.9, 1]

/** How far the action is in the picture `index` of `count`. */
export function shareAt(index: number, count: number): number {
  const at = count === 1 ? ramp.length - 1 : (index * (ramp.length - 1)) / (count - 1)
  const [before, after] = [ramp[Math.floor(at)]!, ramp[Math.ceil(at)]!]
  return before + (after - before) * (at - Math.floor(at))
}

/** One photograph whose face is moved by the 468 points of the mesh, lifted to three dimensions. */
export function warped(materials: Materials): Instrument {
  return {
    name: 'warped',
    is: 'One photograph; the 468 points of our mesh, lifted to 3D, are turned and its triangles warped.',
    subjects: async (most) =>
      (await pressPortraits(materials, most)).map((portrait) => ({
        name: portrait.name,
        forge: (session) => warpedForgery(portrait, session),
      })),
  }
}

/** The pictures of one session: fresh noise in each, one light throughout. */
export function warpedForgery(portrait: Portrait, session: number): Forgery {
  const random = randomNumbers(session + 1)
  const gain = between(0.94, 1.06, random)
  return {
    async frames(moment, count) {
      const jpegs: Buffer[] = []
      for (let i = 0; i < count; i++) {
        const movement = movementAt(moment, i, count)
        jpegs.push(await toJpeg(expose(warp(portrait, movement), { gain, noise: 1.2 }, random)))
      }
      return jpegs
    },
  }
}

export function movementAt(moment: Moment, index: number, count: number): Movement {
  return moment === 'start' || moment === 'end' ? atRest : movementFor(moment, shareAt(index, count))
}

/** The photograph with its face moved; what lies around it is untouched. */
export function warp({ picture, points, fit }: Portrait, movement: Movement): Raster {
  if (movement === atRest) return picture
  const moved = copyOf(picture)
  paintMesh(moved, picture, points, moveFace(points, fit, movement))
  return moved
}

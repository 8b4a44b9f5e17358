import type { Forgery, Instrument, Moment } from '../forgery.ts'
import type { Materials } from '../people/materials.ts'
import { mixed, type Raster, readRaster, toJpeg } from '../pictures/raster.ts'
import { playerOf } from './filmed.ts'
import { recordings } from './recorded.ts'

/** As `recorded`, with its segments joined: where one follows another the pictures fade over. */
export function spliced(materials: Materials): Instrument {
  return {
    name: 'spliced',
    is: 'As recorded, with the segments joined: where one follows another the pictures fade over.',
    subjects: async (most) =>
      (await recordings(materials))
        .flatMap((footage) => playerOf(footage) ?? [])
        .slice(0, most)
        .map(({ name, forge }) => ({ name, forge: (session) => joined(forge(session)) })),
  }
}

/** So much of a moment fades over from the one before. */
const fading = 0.3

function joined(segments: Forgery): Forgery {
  let last: Raster | undefined
  return {
    async frames(moment: Moment, count: number) {
      const rasters = await Promise.all(
        (await segments.frames(moment, count)).map((jpeg) => readRaster(jpeg)),
      )
      const before = last
      last = rasters.at(-1)
      const fades = Math.max(1, Math.round(fading * count))
      const faded = rasters.map((picture, i) =>
        before === undefined || i >= fades ? picture : mixed(before, picture, (i + 1) / (fades + 1)),
      )
      return Promise.all(faded.map((picture) => toJpeg(picture)))
    },
  }
}

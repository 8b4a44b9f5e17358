import { mixed, type Raster, readRaster, toJpeg } from '#lab/pictures/raster.ts'
import type { Forgery, Instrument, Moment } from '../forgery.ts'
import type { Materials } from '../people/materials.ts'
import { playerOf } from './filmed.ts'
import { isStraight } from './photographed.ts'
import { recordings } from './recorded.ts'

/** Like `recorded`, but with a cross-fade between segments. */
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

/** How much of the previous picture is left in the first picture of a segment. */
const remains = 0.4
/** The share of a moment during which its film fades. */
const joint = 0.05

/** Movements start and end with straight looks that are almost identical, so segments are joined there. */
function joined(segments: Forgery): Forgery {
  let before: Raster | undefined
  const film = { moment: undefined as Moment | undefined, last: undefined as Raster | undefined }
  let left: Raster | undefined
  return {
    ...segments,
    /** Fades each segment's last picture into the first picture of the next one. */
    async film(moment: Moment, places: readonly number[]) {
      const pictures = await segments.film(moment, places)
      if (film.moment !== moment) left = film.last
      film.moment = moment
      film.last = pictures.at(-1) ?? film.last
      return pictures.map((picture, i) =>
        left === undefined || places[i]! > joint ? picture : mixed(left, picture, 1 - remains),
      )
    },
    async frames(moment: Moment, count: number) {
      const [first, ...rest] = (await segments.frames(moment, count)) as [Buffer, ...Buffer[]]
      const beginning = await readRaster(first)
      const faded = before === undefined ? beginning : mixed(before, beginning, 1 - remains)
      before = isStraight(moment) ? await readRaster(rest.at(-1) ?? first) : beginning
      return [await toJpeg(faded), ...rest]
    },
  }
}

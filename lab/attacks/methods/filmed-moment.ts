import { type Raster, toJpeg } from '#lab/pictures/raster.ts'
import { expose } from '#lab/pictures/sensor.ts'
import { toSmallJpeg } from '#lab/pictures/small-jpeg.ts'
import { trailAsked } from '../../../shared/contract/sessions/trail.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import { type FilmKind, showsAnother } from '../films.ts'
import type { Forgery, Moment } from '../forgery.ts'
import { isStraight } from '../instruments/photographed.ts'

/** A picture in the form that the API accepts. */
export interface SentPicture {
  readonly bytes: string
  readonly time: number
}

/** When a moment's frames are taken. For an action, this is from the straight look before it to its peak. */
const action = { from: 0.2, to: 0.6 } as const

/** A moment's frames and film. */
export interface SentMoment {
  readonly frames: SentPicture[]
  readonly trail?: SentPicture[]
}

/** Milliseconds between frames if the forger does not send a film. */
const unfilmedEvery = 120

/** The frames of a moment that begins at `from`, together with the requested kind of film. */
export async function sentOf(
  forgery: Forgery,
  film: FilmKind,
  moment: Moment,
  count: number,
  from: number,
): Promise<SentMoment> {
  if (film !== 'none') {
    return {
      frames: await framesOf(forgery, moment, count, from),
      trail: await trailOf(forgery, moment, from, film),
    }
  }
  const jpegs = count === 0 ? [] : await forgery.frames(moment, count)
  return { frames: jpegs.map((jpeg, i) => sent(jpeg, from + i * unfilmedEvery)) }
}

/** Takes a moment's frames from its film. For an action, the first one is straight and the last one is at the peak. */
export async function framesOf(
  forgery: Forgery,
  moment: Moment,
  count: number,
  from: number,
): Promise<SentPicture[]> {
  const places = forgery.placesOfFrames?.(moment).slice(0, count) ?? placesOf(moment, count)
  const rasters = await forgery.film(moment, places)
  return Promise.all(
    rasters.map(async (raster, i) =>
      sent(await toJpeg(raster), from + places[i]! * forgery.momentInMilliseconds),
    ),
  )
}

function placesOf(moment: Moment, count: number): number[] {
  const shares = Array.from({ length: count }, (_, i) => (count === 1 ? 1 : i / (count - 1)))
  if (!isStraight(moment)) return shares.map((share) => action.from + share * (action.to - action.from))
  return shares.map((_, i) => (i + 1) / (count + 1))
}

/** Pictures per second in a film that barely counts as one. */
const fewest = 0.5

/** Takes a moment's film at the page's frame rate. */
export async function trailOf(
  forgery: Forgery,
  moment: Moment,
  from: number,
  film: FilmKind = 'own',
): Promise<SentPicture[]> {
  const { momentInMilliseconds } = forgery
  const seconds = momentInMilliseconds / 1000
  const count = film === 'sparse' ? Math.ceil(seconds * fewest) : Math.floor(seconds * trailAsked.perSecond)
  const places = Array.from({ length: count }, (_, i) => i / count)
  const shown = showsAnother(film) ? forgery.other! : forgery
  const random = randomNumbers(from)
  const rasters = await rastersOf(shown, moment, places, film, random)
  const jpegs = await Promise.all(rasters.map(toSmallJpeg))
  return jpegs.map((jpeg, i) => sent(jpeg, from + places[i]! * momentInMilliseconds))
}

const levels = { dark: 4, flat: 128 } as const
/** The standard deviation, in grey levels of a full-size picture. */
const filmNoise = 14

async function rastersOf(
  forgery: Forgery,
  moment: Moment,
  places: readonly number[],
  film: FilmKind,
  random: () => number,
): Promise<readonly Raster[]> {
  if (film === 'none') return []
  if (film === 'own' || film === 'sparse' || film === 'other' || film === 'living')
    return forgery.film(moment, places)
  const [first] = await forgery.film(moment, [0])
  const { width, height, rgb } = first!
  if (film === 'dark' || film === 'flat') {
    const even = new Uint8Array(rgb.length).fill(levels[film])
    return places.map(() => ({ width, height, rgb: even }))
  }
  return places.map(() =>
    film === 'repeated' ? first! : expose(first!, { gain: 1, noise: filmNoise }, random),
  )
}

function sent(jpeg: Buffer, time: number): SentPicture {
  return { bytes: jpeg.toString('base64'), time: Math.round(time) }
}

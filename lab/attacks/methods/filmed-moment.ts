import { trailAsked } from '#shared/contract/sessions/trail.ts'
import type { Forgery, Moment } from '../forgery.ts'
import { isStraight } from '../instruments/photographed.ts'
import { toJpeg } from '../pictures/raster.ts'
import { toSmallJpeg } from '../pictures/small-jpeg.ts'

/** A picture as the interface takes it. */
export interface SentPicture {
  readonly bytes: string
  readonly time: number
}

/** Where in a moment its frames are taken: of an action from the straight look before it to its height. */
const action = { from: 0.2, to: 0.6 } as const

/** So many frames of a moment, from its film: of an action the first one is straight, the last one at its height. */
export async function framesOf(
  forgery: Forgery,
  moment: Moment,
  count: number,
  from: number,
): Promise<SentPicture[]> {
  const places = placesOf(moment, count)
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

/** The thin film of a moment, at the pace that a page is asked for. */
export async function trailOf(forgery: Forgery, moment: Moment, from: number): Promise<SentPicture[]> {
  const { momentInMilliseconds } = forgery
  const count = Math.floor((momentInMilliseconds / 1000) * trailAsked.perSecond)
  const places = Array.from({ length: count }, (_, i) => i / count)
  const rasters = await forgery.film(moment, places)
  return Promise.all(
    rasters.map(async (raster, i) =>
      sent(await toSmallJpeg(raster), from + places[i]! * momentInMilliseconds),
    ),
  )
}

function sent(jpeg: Buffer, time: number): SentPicture {
  return { bytes: jpeg.toString('base64'), time: Math.round(time) }
}

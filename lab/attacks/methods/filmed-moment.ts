import { trailAsked } from '#shared/contract/sessions/trail.ts'
import type { Forgery, Moment } from '../forgery.ts'
import { toJpeg } from '../pictures/raster.ts'
import { toSmallJpeg } from '../pictures/small-jpeg.ts'

/** A picture as the interface takes it. */
export interface SentPicture {
  readonly bytes: string
  readonly time: number
}

/** So many frames of a moment, from its film: the first one straight, the others on the way and at its height. */
export async function framesOf(
  forgery: Forgery,
  moment: Moment,
  count: number,
  from: number,
): Promise<SentPicture[]> {
  const places = Array.from({ length: count }, (_, i) => (i + 1) / (count + 1))
  const rasters = await forgery.film(moment, places)
  return Promise.all(
    rasters.map(async (raster, i) =>
      sent(await toJpeg(raster), from + places[i]! * forgery.momentInMilliseconds),
    ),
  )
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

import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { trailLimits } from '#shared/contract/sessions/trail.ts'
import type { Reading } from './analyser.ts'
import type { Picture } from './selection.ts'
import { thresholds as t } from './thresholds.ts'

/** A picture that the film can use. */
export type FilmPicture = Pick<Reading, 'time' | 'encodeSmall'>

/** A visit's film: small pictures that are kept until the next request sends the ones around its frames. */
export interface Film {
  /** Adds this picture if the next one is due. */
  see(reading: FilmPicture): Promise<void>
  /**
   * Adds the picture of a frame that is about to be sent. A quick turn may end the step between two pictures of the film, which would then show
   * a head that stays still.
   */
  addFrame(reading: FilmPicture): Promise<void>
  /** Adds this camera picture if the analysis has gone too long without supplying one. */
  fill(picture: FilmPicture): Promise<void>
  /** Removes and returns the new pictures around these frames in time order, and discards the rest. */
  take(frames: readonly Pick<Picture, 'time'>[]): readonly Picture[]
  /**
   * Discards pictures taken before a step was sent, once its answer arrives. The server times the next step from that moment, so a film
   * of a step that had to be sent again would appear to cover more time than the step had.
   */
  forgetBefore(time: number): void
  /** Discards the pictures that have not been sent yet. */
  clear(): void
  /** Starts the film for another try or after a reload. `alreadySent` is the number of pictures that were already sent. */
  renew(alreadySent?: number): void
}

/**
 * Creates a visit's film. It takes no pictures until they are wanted.
 *
 * [Note: A film is never used up] A request that would use more than half of the remaining pictures sends only a quarter of them,
 * the ones around its frames. Even if the person hesitates for a long time, enough remain for the next action's frames.
 */
export function createFilm(wantedNow: () => CapturePlan['evidence']): Film {
  let kept: Picture[] = []
  let sent = 0
  /** The time of the last picture that was sent. A film whose time goes back is judged in two pieces. */
  let sentUpTo = Number.NEGATIVE_INFINITY
  let encoding: Promise<void> | undefined
  const pace = filmPace()
  const keep = async ({ time, encodeSmall }: FilmPicture, longestSide: number, at = kept.length) => {
    pace.took(time)
    const bytes = await encodeSmall({ longestSide, mostBytes: trailLimits.bytes })
    // The camera was restarted.
    if (time < sentUpTo) sentUpTo = Number.NEGATIVE_INFINITY
    kept.splice(at, 0, { bytes, time })
    if (kept.length > trailLimits.inAll) kept = withOlderThinned(kept)
  }
  /** Adds pictures one at a time so that they stay in order. */
  const keepNext = async (picture: FilmPicture, longestSide: number, at?: number) => {
    encoding = keep(picture, longestSide, at)
    try {
      await encoding
    } finally {
      encoding = undefined
    }
  }
  const clear = () => {
    kept = []
    sentUpTo = Number.NEGATIVE_INFINITY
    pace.restart()
  }
  return {
    async see(picture) {
      await encoding?.catch(() => undefined)
      const wanted = wantedNow()
      if (wanted?.trail && pace.isDue(picture.time, wanted.trailPerSecond))
        await keepNext(picture, wanted.trailPixels)
    },
    async addFrame(picture) {
      await encoding?.catch(() => undefined)
      const wanted = wantedNow()
      const isNear = ({ time }: Picture) => Math.abs(picture.time - time) < t.film.frameApartMilliseconds
      const isFilmed = picture.time <= sentUpTo || kept.some(isNear)
      // A frame is chosen a while after it was seen, and the clock may have filmed since.
      const at = kept.findLastIndex(({ time }) => time <= picture.time) + 1
      if (wanted?.trail && !isFilmed) await keepNext(picture, wanted.trailPixels, at)
    },
    async fill(picture) {
      const wanted = wantedNow()
      if (!wanted?.trail || encoding !== undefined) return
      if (!pace.isLate(picture.time, wanted.trailPerSecond)) return
      pace.fills(picture.time)
      await keepNext(picture, wanted.trailPixels)
    },
    take(frames) {
      const left = trailLimits.inAll - sent
      const taken = kept.length <= left / 2 ? kept : chosen(around(kept, frames), frames, Math.ceil(left / 4))
      sent += taken.length
      sentUpTo = taken.at(-1)?.time ?? sentUpTo
      kept = []
      return taken
    },
    forgetBefore(time) {
      kept = kept.filter((picture) => picture.time >= time)
    },
    clear,
    renew(alreadySent = 0) {
      clear()
      sent = alreadySent
    },
  }
}

/** Decides when the film needs its next picture. Times are stream time in milliseconds. */
function filmPace() {
  let takenAt: number | undefined
  let filledAt: number | undefined
  let isBehind = false
  // A restarted camera counts from 0 again, and a late analysis is older than the pictures that the clock has taken since.
  const isAnew = (time: number) =>
    time < takenAt! && !(takenAt === filledAt && takenAt! - time < t.tooSlowMilliseconds)
  const isDue = (time: number, perSecond: number) =>
    takenAt === undefined || isAnew(time) || time - takenAt >= 1000 / perSecond - t.film.earlyMilliseconds
  return {
    isDue,
    /** True if the film has waited too long for an analysis. After a late picture the next one comes early, to maintain the average rate. */
    isLate(time: number, perSecond: number): boolean {
      if (takenAt === undefined) return false
      return isBehind ? isDue(time, perSecond) : time - takenAt >= t.film.lateMilliseconds
    },
    took(time: number): void {
      isBehind = takenAt !== undefined && time - takenAt > t.film.behindMilliseconds
      takenAt = time
    },
    /** Records that the clock takes the next picture. */
    fills(time: number): void {
      filledAt = time
    },
    restart(): void {
      takenAt = undefined
      isBehind = false
    },
  }
}

/** The pictures from shortly before the first frame to shortly after the last one. */
function around(film: readonly Picture[], frames: readonly Pick<Picture, 'time'>[]): readonly Picture[] {
  const times = frames.map(({ time }) => time)
  const from = Math.min(...times) - t.film.rimMilliseconds
  const to = Math.max(...times) + t.film.rimMilliseconds
  return film.filter(({ time }) => time >= from && time <= to)
}

/** Selects up to `most` pictures in time order: the closest one to each frame, plus evenly spaced ones from the rest. */
function chosen(film: readonly Picture[], frames: readonly Pick<Picture, 'time'>[], most: number) {
  if (film.length <= most) return film
  const nearest = new Set(frames.map(({ time }) => nearestTo(time, film)).slice(0, most))
  const others = film.filter((picture) => !nearest.has(picture))
  const room = most - nearest.size
  const between = Array.from({ length: room }, (_, i) => others[Math.floor((i * others.length) / room)]!)
  return [...nearest, ...between].sort((a, b) => a.time - b.time)
}

function nearestTo(time: number, film: readonly Picture[]): Picture {
  const away = (picture: Picture) => Math.abs(picture.time - time)
  return film.reduce((best, one) => (away(one) < away(best) ? one : best))
}

/** [Note: The latest are dense] Drops every second picture from the older half. */
function withOlderThinned(film: readonly Picture[]): Picture[] {
  const half = film.length >> 1
  return film.filter((_, i) => i >= half || i % 2 === 0)
}

import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { trailLimits } from '#shared/contract/sessions/trail.ts'
import type { Reading } from './analyser.ts'
import type { Picture } from './selection.ts'
import { thresholds as t } from './thresholds.ts'

/** A picture that can be taken. */
export type FilmPicture = Pick<Reading, 'time' | 'encodeSmall'>

/** The thin film of a visit: small pictures, kept until the next request takes along what belongs to it. */
export interface Film {
  /** Takes this picture, where the film is due for one. */
  see(reading: FilmPicture): Promise<void>
  /** Takes this picture of the camera where none came of the analysis for too long. */
  fill(picture: FilmPicture): Promise<void>
  /** What belongs to these frames since the last time, in the order of time. It is the caller's now, and the rest is gone. */
  take(frames: readonly Pick<Picture, 'time'>[]): readonly Picture[]
  /**
   * Forgets what was taken before a step was sent that is answered now: the server counts the time of the next one from there, so that film of a step that
   * had to be sent again would seem to have taken longer than there was.
   */
  forgetBefore(time: number): void
  /** Forgets what was not sent yet. */
  clear(): void
  /** Begins the film of another try, or of a page that was reloaded: so many pictures of it were sent. */
  renew(alreadySent?: number): void
}

/**
 * Makes the film of a visit; as long as nothing is wanted it takes nothing.
 *
 * [Note: A film is never used up] Where a request would take more than half of what may still be sent, it takes a quarter, from around its
 * frames: however long somebody thinks about an action, there is film for the frames of the next one.
 */
export function createFilm(wantedNow: () => CapturePlan['evidence']): Film {
  let kept: Picture[] = []
  let sent = 0
  let encoding: Promise<void> | undefined
  const pace = filmPace()
  const keep = async ({ time, encodeSmall }: FilmPicture, longestSide: number) => {
    pace.took(time)
    const bytes = await encodeSmall({ longestSide, mostBytes: trailLimits.bytes })
    kept.push({ bytes, time })
    if (kept.length > trailLimits.inAll) kept = withOlderThinned(kept)
  }
  /** One after the other: pictures stay in the order of time. */
  const keepNext = async (picture: FilmPicture, longestSide: number) => {
    encoding = keep(picture, longestSide)
    try {
      await encoding
    } finally {
      encoding = undefined
    }
  }
  const clear = () => {
    kept = []
    pace.restart()
  }
  return {
    async see(picture) {
      await encoding?.catch(() => undefined)
      const wanted = wantedNow()
      if (wanted?.trail && pace.isDue(picture.time, wanted.trailPerSecond))
        await keepNext(picture, wanted.trailPixels)
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

/** When the next picture of a film is taken; times in milliseconds of the stream. */
function filmPace() {
  let takenAt: number | undefined
  let filledAt: number | undefined
  let isBehind = false
  // A camera that began anew counts from the start; an analysis that is late is behind what the clock took meanwhile.
  const isAnew = (time: number) =>
    time < takenAt! && !(takenAt === filledAt && takenAt! - time < t.tooSlowMilliseconds)
  const isDue = (time: number, perSecond: number) =>
    takenAt === undefined || isAnew(time) || time - takenAt >= 1000 / perSecond - t.film.earlyMilliseconds
  return {
    isDue,
    /** Whether the film waits for an analysis too long. After a picture that came too late the next one comes as soon as it may: on average the film keeps up. */
    isLate(time: number, perSecond: number): boolean {
      if (takenAt === undefined) return false
      return isBehind ? isDue(time, perSecond) : time - takenAt >= t.film.lateMilliseconds
    },
    took(time: number): void {
      isBehind = takenAt !== undefined && time - takenAt > t.film.behindMilliseconds
      takenAt = time
    },
    /** The picture that is taken next is one of the clock. */
    fills(time: number): void {
      filledAt = time
    },
    restart(): void {
      takenAt = undefined
      isBehind = false
    },
  }
}

/** From somewhat before the first of the frames to somewhat after the last one. */
function around(film: readonly Picture[], frames: readonly Pick<Picture, 'time'>[]): readonly Picture[] {
  const times = frames.map(({ time }) => time)
  const from = Math.min(...times) - t.film.rimMilliseconds
  const to = Math.max(...times) + t.film.rimMilliseconds
  return film.filter(({ time }) => time >= from && time <= to)
}

/** So many of them at most, in the order of time: what is nearest to each frame, and of the rest every so many. */
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

/** [Note: The latest are dense] Of the older half every second one goes. */
function withOlderThinned(film: readonly Picture[]): Picture[] {
  const half = film.length >> 1
  return film.filter((_, i) => i >= half || i % 2 === 0)
}

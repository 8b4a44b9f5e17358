import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { trailLimits } from '#shared/contract/sessions/trail.ts'
import type { Reading } from './analyser.ts'
import type { Picture } from './selection.ts'
import { thresholds as t } from './thresholds.ts'

/** The thin film of a visit: small pictures, kept until the next request takes them along. */
export interface Film {
  /** Takes this picture, where the film is due for one. */
  see(reading: Pick<Reading, 'time' | 'encodeSmall'>): Promise<void>
  /** What was taken since the last time. It is the caller's now. */
  take(): readonly Picture[]
  /** Forgets what was not sent yet. */
  clear(): void
  /** Begins the film of another try, of which nothing was sent. */
  renew(): void
}

/** Makes the film of a visit; as long as nothing is wanted it takes nothing. */
export function createFilm(wantedNow: () => CapturePlan['evidence']): Film {
  let kept: Picture[] = []
  let sent = 0
  let takenAt: number | undefined
  const isDue = (time: number, perSecond: number) => {
    const { film } = t
    if (takenAt === undefined || time < takenAt) return true
    const used = sent + kept.length
    const pace = film.paces.find(({ until }) => used < until)?.perSecond ?? 0
    return time - takenAt >= 1000 / Math.min(perSecond, pace) - film.earlyMilliseconds
  }
  const clear = () => {
    kept = []
    takenAt = undefined
  }
  return {
    async see({ time, encodeSmall }) {
      const wanted = wantedNow()
      if (!wanted?.trail || sent + kept.length >= trailLimits.inAll) return
      if (!isDue(time, wanted.trailPerSecond)) return
      takenAt = time
      const bytes = await encodeSmall({ longestSide: wanted.trailPixels, mostBytes: trailLimits.bytes })
      kept.push({ bytes, time })
    },
    take() {
      const taken = kept
      sent += taken.length
      kept = []
      return taken
    },
    clear,
    renew() {
      clear()
      sent = 0
    },
  }
}

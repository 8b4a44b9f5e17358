import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { Picture } from '#server/features/sessions/pictures/frames.ts'
import type { TrailPicture } from '#server/features/sessions/pictures/trail.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { Watch } from './watch.ts'
import type { WatchTrail } from './watch-trail.ts'

/** What a request brought to look at. */
export interface Shown {
  readonly pictures: readonly Picture[]
  /** What is new of the film. */
  readonly trail: readonly TrailPicture[]
}

/** Looks at all of it: what is seen in the frames, and in the whole film so far. */
export type Look = (
  shown: Shown,
  record: SessionRecord,
  receivedAt: number,
) => Promise<{ readonly seen: Observation[]; readonly film: readonly TrailPoint[] }>

export function createLook(watch: Watch, watchTrail: WatchTrail): Look {
  return async ({ pictures, trail }, record, receivedAt) => {
    if (record.test !== undefined) return { seen: [], film: [] }
    const [seen, filmed] = await Promise.all([
      watch(pictures, record, receivedAt),
      watchTrail(trail, record, receivedAt),
    ])
    return { seen, film: [...(record.trail ?? []), ...filmed] }
  }
}

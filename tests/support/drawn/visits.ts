import type { EarlierVisit } from '#models/rules/liveness/earlier/resemblance.ts'
import type { Moment, Scene, Visit } from '#models/rules/liveness/earlier/visit.ts'
import { noon } from './observations.ts'

/** A rim of this contrast, grey levels, about a mean of 100. */
export function rimWith(contrast: number): number[] {
  return Array.from({ length: 46 }, (_, i) => 100 + (i % 2 === 0 ? contrast : -contrast))
}

export const room: Scene = { rim: rimWith(20), luminance: 120 }

/** Six pictures a second of a head that turns by `degrees` there and back, once every `seconds`, for nine seconds. */
export function turning(
  degrees = 30,
  seconds = 2,
  changed: (moment: Moment) => Partial<Moment> = () => ({}),
) {
  return Array.from({ length: 54 }, (_, i): Moment => {
    const time = Math.round((i * 1000) / 6)
    const yaw = (degrees / 2) * (1 - Math.cos((time / 1000 / seconds) * 2 * Math.PI))
    const moment = { time, x: 0.5 - yaw / 1000, y: 0.5, width: 0.3, yaw, pitch: 2, roll: 1 }
    return { ...moment, ...changed(moment) }
  })
}

/** The embedding that lies on an axis. */
export function axis(i: number): number[] {
  return Array.from({ length: 512 }, (_, at) => (at === i ? 1 : 0))
}

export function visitBy(person: number, changed: Partial<Visit> = {}): Visit {
  const face = { embedding: axis(person), embeddingModel: 'fr-feature/2' as const }
  return { scene: room, film: turning(), face, ...changed }
}

let sessions = 0

export function earlier(visit: Visit, changed: Partial<EarlierVisit> = {}): EarlierVisit {
  return { sessionId: `session ${++sessions}`, at: noon + sessions, person: null, visit, ...changed }
}

import type { EarlierVisit } from '#models/rules/liveness/earlier/resemblance.ts'
import type { Scene, Visit } from '#models/rules/liveness/earlier/visit.ts'
import { noon } from './observations.ts'

/** A rim that has this contrast in grey levels, around a mean of 100. */
export function rimWith(contrast: number): number[] {
  return Array.from({ length: 46 }, (_, i) => 100 + (i % 2 === 0 ? contrast : -contrast))
}

export const room: Scene = { rim: rimWith(20), luminance: 120 }

/** The embedding that lies along an axis. */
export function axis(i: number): number[] {
  return Array.from({ length: 512 }, (_, at) => (at === i ? 1 : 0))
}

export function visitBy(person: number, changed: Partial<Visit> = {}): Visit {
  const face = { embedding: axis(person), embeddingModel: 'fr-feature/2' as const }
  return { scene: room, face, ...changed }
}

let sessions = 0

export function earlier(visit: Visit, changed: Partial<EarlierVisit> = {}): EarlierVisit {
  return { sessionId: `session ${++sessions}`, at: noon + sessions, person: null, visit, ...changed }
}

import { isSameScene } from './same-scene.ts'
import { isSimilarFace } from './similar-face.ts'
import type { Visit } from './visit.ts'

/** The ways in which a visit can resemble an earlier one. */
const resemblanceKinds = ['sameScene', 'similarFace'] as const
export type ResemblanceKind = (typeof resemblanceKinds)[number]

/** An earlier visit to the same account. */
export interface EarlierVisit {
  readonly sessionId: string
  /** In milliseconds since 1970. */
  readonly at: number
  /** The same for two visits that named the same person. Null if no person was named. */
  readonly person: string | null
  readonly visit: Visit
}

/** An earlier visit that this one resembles. */
export interface Resemblance {
  readonly kind: ResemblanceKind
  readonly sessionId: string
}

/** The maximum number of resemblances to report per kind, most recent first. */
export const mostReported = 10

/** Compares a visit with earlier ones. [Note: The same person is no finding] A similar face only counts if the names differ or are missing. */
export function resemblancesOf(
  { visit, person }: Pick<EarlierVisit, 'visit' | 'person'>,
  earlier: readonly EarlierVisit[],
): Resemblance[] {
  const latest = [...earlier].sort((a, b) => b.at - a.at)
  const sameScene = latest.filter((other) => isSameScene(visit.scene, other.visit.scene))
  const isSimilar = ({ visit: { face } }: EarlierVisit) =>
    visit.face !== null && face !== null && isSimilarFace(visit.face, face, earlier.length)
  const similarFace = latest.filter((other) => isSomebodyElse(person, other) && isSimilar(other))
  return [...toResemblances('sameScene', sameScene), ...toResemblances('similarFace', similarFace)]
}

function toResemblances(kind: ResemblanceKind, found: readonly EarlierVisit[]): Resemblance[] {
  return found.slice(0, mostReported).map(({ sessionId }) => ({ kind, sessionId }))
}

function isSomebodyElse(person: string | null, other: EarlierVisit): boolean {
  return person === null || other.person !== person
}

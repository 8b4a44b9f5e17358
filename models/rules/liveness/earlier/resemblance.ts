import { isSameScene } from './same-scene.ts'
import { isSimilarFace } from './similar-face.ts'
import type { Visit } from './visit.ts'

/** Ways in which a visit can resemble an earlier one. */
const resemblanceKinds = ['sameScene', 'similarFace'] as const
export type ResemblanceKind = (typeof resemblanceKinds)[number]

/** An earlier visit of the same account. */
export interface EarlierVisit {
  readonly sessionId: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Equal for two visits that named the same person; null if none was named. */
  readonly person: string | null
  readonly visit: Visit
}

/** An earlier visit that this one resembles. */
export interface Resemblance {
  readonly kind: ResemblanceKind
  readonly sessionId: string
}

/** Maximum number of each kind that is reported, latest first. */
export const mostReported = 10

/** Compares a visit with earlier ones. [Note: The same person is no finding] A similar face counts only under another name, or none. */
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

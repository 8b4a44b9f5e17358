import { isSameFilm } from './same-film.ts'
import { isSameScene, mayBeSameScene } from './same-scene.ts'
import { isSimilarFace } from './similar-face.ts'
import type { Visit } from './visit.ts'

/** What a later visit has in common with an earlier one. */
export const resemblanceKinds = ['sameScene', 'similarFace'] as const
export type ResemblanceKind = (typeof resemblanceKinds)[number]

/** An earlier visit of the same account. */
export interface EarlierVisit {
  readonly sessionId: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Tells whether two visits named the same person; null where none was named. */
  readonly person: string | null
  readonly visit: Visit
}

/** What was found beside earlier visits. */
export interface Resemblances {
  readonly findings: readonly { readonly kind: ResemblanceKind; readonly sessionId: string }[]
  /** The same scene, the same trail and the same poses as one of them. */
  readonly isRecordingReused: boolean
}

export const noResemblances: Resemblances = { findings: [], isRecordingReused: false }

/** So many of each kind are told, the latest first. */
const mostTold = 10
/** Films are compared with so many visits before the same scene: at a desk that all visitors share there are many. */
const mostFilms = 24

/**
 * Compares a visit with those before it. The same person who comes again is no finding: a similar face is one under another name, or
 * under none.
 *
 * [Note: A recording is three things at once] The same scene is that of everybody at one desk, and a turned head is like another turned
 * head. What was recorded is the same in all three, also when it is made brighter and encoded anew.
 */
export function resemblancesOf(
  { visit, person }: Pick<EarlierVisit, 'visit' | 'person'>,
  earlier: readonly EarlierVisit[],
): Resemblances {
  const latest = earlier.toSorted((a, b) => b.at - a.at)
  const sameScene = latest.filter((other) => isSameScene(visit.scene, other.visit.scene))
  const isSimilar = ({ visit: { face } }: EarlierVisit) =>
    visit.face !== null && face !== null && isSimilarFace(visit.face, face, earlier.length)
  const similarFace = latest.filter((other) => isSomebodyElse(person, other) && isSimilar(other))
  return {
    findings: [...told('sameScene', sameScene), ...told('similarFace', similarFace)],
    isRecordingReused: latest
      .filter((other) => mayBeSameScene(visit.scene, other.visit.scene))
      .slice(0, mostFilms)
      .some((other) => isSameFilm(visit.film, other.visit.film)),
  }
}

function told(kind: ResemblanceKind, found: readonly EarlierVisit[]) {
  return found.slice(0, mostTold).map(({ sessionId }) => ({ kind, sessionId }))
}

function isSomebodyElse(person: string | null, other: EarlierVisit): boolean {
  return person === null || other.person !== person
}

import { randomInt } from 'node:crypto'
import { filmFacesOfVisit } from '#models/rules/liveness/evidence/film-person.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { rulesOf } from './rules.ts'

/** How many faces are drawn from the film of one request: those of a visit, spread over its start, its actions and its end. */
export function filmFacesOfRequest({ settings, kiosk }: Pick<SessionRecord, 'settings' | 'kiosk'>): number {
  // A kiosk sends its whole visit at once.
  if (kiosk !== undefined) return filmFacesOfVisit
  return Math.ceil(filmFacesOfVisit / (rulesOf(settings).challengeActionCount + 2))
}

/**
 * Indices of the pictures whose faces are compared: one at random from each of `faces` equal parts of the film. [Note: Drawn after it arrived] A forger
 * who puts a film together cannot know which pictures those will be.
 * @param draw a whole number of at least 0 and less than its argument
 */
export function drawFilmFaces(
  pictures: number,
  faces: number,
  draw: (below: number) => number = randomInt,
): ReadonlySet<number> {
  const parts = Math.min(pictures, faces)
  const start = (part: number) => Math.floor((part * pictures) / parts)
  return new Set(
    Array.from({ length: parts }, (_, part) => start(part) + draw(start(part + 1) - start(part))),
  )
}

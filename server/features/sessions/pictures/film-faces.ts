import { randomInt } from 'node:crypto'
import { filmFacesOfVisit } from '#models/rules/liveness/evidence/film-person.ts'
import { rulesOf } from '#server/features/sessions/access/session-rules.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'

/** How many faces are drawn from one request's film. A visit's faces are spread over its start, its actions and its end. */
export function filmFacesOfRequest({ settings, kiosk }: Pick<SessionRecord, 'settings' | 'kiosk'>): number {
  // A kiosk sends its whole visit at once.
  if (kiosk !== undefined) return filmFacesOfVisit
  return Math.ceil(filmFacesOfVisit / (rulesOf(settings).challengeActionCount + 2))
}

/** How many of a batch's pictures there are for each drawn face: about one second of film. */
const picturesOfFace = 6

/** How many faces are drawn from a batch's film while its step is in progress. The request that ends the step draws its own. */
export function filmFacesOfBatch(pictures: number): number {
  return Math.ceil(pictures / picturesOfFace)
}

/**
 * Picks the pictures to compare faces in: one at random from each of `faces` equal parts of the film. [Note: Drawn after it arrived] A forger who
 * assembles a film cannot know which pictures will be picked.
 * @param draw returns a whole number from 0 up to, but not including, its argument
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

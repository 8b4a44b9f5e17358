import type { Neutral } from '#models/rules/challenge/neutral-face.ts'
import type { StepRecord } from '#models/rules/challenge/step.ts'
import { embeddingLengths, toUnit } from '#models/rules/embedding.ts'
import { samePersonByDlib } from '#models/rules/same-person.ts'
import { cosine } from '#models/rules/similarity.ts'
import { byRequest, type FilmedFace, type TrailPoint } from './trail.ts'

/** The person in a film: that of the frames, another one, or too little is seen to tell. */
type FilmedPerson = 'same' | 'unsure' | 'other'

/** A film, and the person whom it has to show. */
export interface FilmOfPerson {
  readonly trail: readonly TrailPoint[]
  readonly steps: readonly Pick<StepRecord, 'answeredAt'>[]
  /** Undefined if no frame shows a straight face. */
  readonly neutral: Pick<Neutral, 'yaw' | 'pitch'> | undefined
  /** Unit embedding, or two joined; null if no frame was good enough. */
  readonly portrait: readonly number[] | null
}

/** How many faces are drawn from the film of a visit. */
export const filmFacesOfVisit = 8

/** Degrees from the person's own straight look within which a face of the film is compared. */
const mostTurned = 30

/**
 * The fewest faces that say whose film it is; two are enough if the device films at most one picture a second. Of one request, two are compared by
 * themselves, so that an action cannot be another person's.
 */
const fewest = { usual: 3, slow: 2, slowPerSecond: 1, ofRequest: 2 } as const

/** Cosines of the mean face of a film with the portrait: below `other` it shows another person, from `same` on the same. */
interface Limits {
  readonly other: number
  readonly same: number
}

/** Of ours, `same` is a score of 70. `npm run bench -- film-person` counts living people and strangers on either side. */
const limits: Limits = { other: 0.2, same: 0.336 }
/** Dlib's embeddings were not measured on small pictures, so they refuse no film; `same` is the limit of frontal frames. */
const limitsByDlib: Limits = { other: -1, same: samePersonByDlib.frontal }

/** Compares the faces that were drawn from a film with the person of the frames. */
export function filmedPerson({ trail, steps, neutral, portrait }: FilmOfPerson): FilmedPerson {
  if (neutral === undefined || portrait === null) return 'unsure'
  const usable = trail.filter(({ face }) => face !== null && isUsable(face, neutral))
  if (usable.length < fewestFor(trail)) return 'unsure'
  const { other, same } = limitsOf(usable)
  const requests = byRequest(usable, steps).filter(({ length }) => length >= fewest.ofRequest)
  const whole = likenessOf(usable, portrait)
  if ([whole, ...requests.map((own) => likenessOf(own, portrait))].some((value) => value < other))
    return 'other'
  return whole >= same ? 'same' : 'unsure'
}

function isUsable({ embedding, pose }: FilmedFace, neutral: Pick<Neutral, 'yaw' | 'pitch'>): boolean {
  const turned = Math.max(Math.abs(pose.yaw - neutral.yaw), Math.abs(pose.pitch - neutral.pitch))
  return embedding !== undefined && turned <= mostTurned
}

function fewestFor(trail: readonly TrailPoint[]): number {
  const times = trail.map(({ time }) => time)
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  return trail.length - 1 <= seconds * fewest.slowPerSecond ? fewest.slow : fewest.usual
}

/** [Note: The mean says more than any face] Small pictures of one person differ from one another; what they share is the person. */
function likenessOf(points: readonly TrailPoint[], portrait: readonly number[]): number {
  const faces = points.map(({ face }) => face!.embedding!)
  const mean = faces[0]!.map((_, i) => faces.reduce((sum, face) => sum + face[i]!, 0))
  // Of two joined embeddings the first one is of the film's model.
  return cosine(toUnit(mean), toUnit(portrait.slice(0, mean.length)))
}

/** The length of an embedding tells which model made it. */
function limitsOf([first]: readonly TrailPoint[]): Limits {
  return first!.face!.embedding!.length === embeddingLengths['dlib-face/2'] ? limitsByDlib : limits
}

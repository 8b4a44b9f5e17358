import type { StepRecord } from '#models/rules/challenge/step.ts'
import { embeddingLengths, toUnit } from '#models/rules/embedding.ts'
import type { NeutralFace } from '#models/rules/face/neutral-face.ts'
import { samePersonByDlib } from '#models/rules/same-person.ts'
import { cosine } from '#models/rules/similarity.ts'
import { byMoment, byRequest, type FilmedFace, type TrailPoint } from './trail.ts'

/** The film shows the same person as the frames, possibly the same person, or a different one. */
type FilmedPerson = 'same' | 'unsure' | 'other'

/** A film and the person that it should show. */
export interface FilmOfPerson {
  readonly trail: readonly TrailPoint[]
  readonly steps: readonly Pick<StepRecord, 'revealedAt' | 'answeredAt'>[]
  /** Undefined if no frame shows a straight face. */
  readonly neutral: Pick<NeutralFace, 'yaw' | 'pitch'> | undefined
  /** A unit embedding, or two of them joined. Null if no frame was good enough. */
  readonly portrait: readonly number[] | null
}

/** The number of faces sampled from a visit's film. */
export const filmFacesOfVisit = 8

/** Faces in the film are only compared if they are within this many degrees of the person's straight look. */
const mostTurned = 30

/**
 * The minimum number of faces needed for an answer. Two are enough if the device films at most one picture per second. Two faces from the same
 * request, or from one side of a pause in it, are also compared on their own, so that no one else can perform an action.
 */
const fewest = { usual: 3, slow: 2, slowPerSecond: 1, ofRequest: 2 } as const

/** Cosine limits for the film's mean face and the portrait: a different person below `other`, the same person from `same` upwards. */
interface Limits {
  readonly other: number
  readonly same: number
}

/** Here, `same` is a score of 70. `npm run bench -- film-person` counts how many living people and strangers fall on each side. */
const limits: Limits = { other: 0.2, same: 0.336 }
/** dlib's embeddings were not measured on small pictures, so they never reject a film. `same` is the limit for frontal frames. */
const limitsByDlib: Limits = { other: -1, same: samePersonByDlib.frontal }

/** Compares the faces sampled from a film with the person in the frames. */
export function filmedPerson({ trail, steps, neutral, portrait }: FilmOfPerson): FilmedPerson {
  if (neutral === undefined || portrait === null) return 'unsure'
  const usable = trail.filter(({ face }) => face !== null && isUsable(face, neutral))
  if (usable.length < fewestFor(trail)) return 'unsure'
  const { other, same } = limitsOf(usable)
  const parts = [...byRequest(usable, steps), ...byMoment(usable, steps)]
  const requests = parts.filter(({ length }) => length >= fewest.ofRequest)
  const whole = likenessOf(usable, portrait)
  if ([whole, ...requests.map((own) => likenessOf(own, portrait))].some((value) => value < other))
    return 'other'
  return whole >= same ? 'same' : 'unsure'
}

function isUsable({ embedding, pose }: FilmedFace, neutral: Pick<NeutralFace, 'yaw' | 'pitch'>): boolean {
  const turned = Math.max(Math.abs(pose.yaw - neutral.yaw), Math.abs(pose.pitch - neutral.pitch))
  return embedding !== undefined && turned <= mostTurned
}

function fewestFor(trail: readonly TrailPoint[]): number {
  const times = trail.map(({ time }) => time)
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  return trail.length - 1 <= seconds * fewest.slowPerSecond ? fewest.slow : fewest.usual
}

/** [Note: The mean says more than any face] Small pictures of the same person vary a lot. Averaging them brings out what they have in common. */
function likenessOf(points: readonly TrailPoint[], portrait: readonly number[]): number {
  const faces = points.map(({ face }) => face!.embedding!)
  const mean = faces[0]!.map((_, i) => faces.reduce((sum, face) => sum + face[i]!, 0))
  // If two embeddings are joined, the first one is from the same model as the film's.
  return cosine(toUnit(mean), toUnit(portrait.slice(0, mean.length)))
}

/** Each model's embeddings have a different length. */
function limitsOf([first]: readonly TrailPoint[]): Limits {
  return first!.face!.embedding!.length === embeddingLengths['dlib-face/2'] ? limitsByDlib : limits
}

import type { Neutral } from './challenge/neutral-face.ts'
import { embeddingLengths } from './embedding.ts'
import { isTurned } from './fair-frame.ts'
import type { Observation, ObservedFace } from './observation.ts'
import { cosine } from './similarity.ts'

/**
 * Minimum cosine with the neutral face; below it a frame shows another person. Turning the head costs a living person up
 * to half (measured: turned 0.64 and up, looking far up 0.45 and up). The frame that shows the action must be closer,
 * which one stranger in ten thousand is; a frame at the end of a movement need not be that frame.
 */
export const samePerson = { frontal: 0.45, moving: 0.28, acting: 0.4 } as const

/** The same for dlib's embeddings, whose strangers begin at 0.84: one stranger in a thousand, and one in a hundred. */
export const samePersonByDlib = { frontal: 0.93, moving: 0.91 } as const

/** True if every face of the frames belongs to the person of the neutral one. */
export function isSamePerson(frames: readonly Observation[], neutral: Neutral): boolean {
  return likenessesTo(neutral, frames).every(isEnough)
}

function isEnough({ value, limit }: Likeness): boolean {
  return value >= limit
}

/** The frames of a visit that show a face, and the straight ones among them. */
interface Shown {
  readonly seen: readonly Observation[]
  readonly frontal: readonly Observation[]
  readonly neutral: Neutral | undefined
}

/** True if all frames of a visit show one person, or none shows a face. */
export function isOnePerson({ seen, frontal, neutral }: Shown): boolean {
  return neutral === undefined || (isSamePerson(seen, neutral) && likenessesAmong(frontal).every(isEnough))
}

/** True if the action in a frame is performed by the person of the neutral face, and not just by a similar one. */
export function isActor(face: ObservedFace | null, neutral: Neutral): boolean {
  if (face === null || face.embedding.length === 0) return true
  return cosine(face.embedding, neutral.embedding) >= samePerson.acting
}

/** The cosine of two faces, and the minimum for one person. */
export interface Likeness {
  readonly value: number
  readonly limit: number
}

/** Of all comparisons in a visit, the one nearest to its limit, or farthest below it; undefined if nothing is compared. */
export function leastLikeness({ seen, frontal, neutral }: Shown): Likeness | undefined {
  if (neutral === undefined) return undefined
  const compared = [...likenessesTo(neutral, seen), ...likenessesAmong(frontal)]
  return compared.toSorted((a, b) => a.value - a.limit - (b.value - b.limit))[0]
}

function likenessesTo(neutral: Neutral, frames: readonly Observation[]): Likeness[] {
  return frames.flatMap(({ face }) => {
    if (face === null || face.embedding.length === 0) return []
    const limits = limitsOf(face.embedding)
    const limit = isTurned(face, neutral) ? limits.moving : limits.frontal
    return [{ value: cosine(face.embedding, neutral.embedding), limit }]
  })
}

/**
 * Straight frames are compared with each other. [Note: Alike to one that is alike to both] A picture mixed of two people
 * resembles both; compared with that one alone, one person could act and the other provide the face. Of 37 living people
 * in up to 24 pictures each, including laughing and talking ones, the two most different pictures have 0.54. Not applied
 * to dlib's embeddings, for which this was not measured.
 */
function likenessesAmong(frontal: readonly Observation[]): Likeness[] {
  const faces = frontal.flatMap(({ face }) => (face?.embedding.length ? [face.embedding] : []))
  return faces.flatMap((face, at) => {
    if (limitsOf(face) !== samePerson) return []
    return faces.slice(0, at).map((other) => ({ value: cosine(face, other), limit: samePerson.frontal }))
  })
}

/** The length of an embedding identifies its model. */
function limitsOf({ length }: readonly number[]) {
  return length === embeddingLengths['dlib-face/2'] ? samePersonByDlib : samePerson
}

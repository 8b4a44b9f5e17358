import type { Neutral } from './challenge/neutral-face.ts'
import { embeddingLengths } from './embedding.ts'
import { isTurned } from './fair-frame.ts'
import type { Observation, ObservedFace } from './observation.ts'
import { cosine } from './similarity.ts'

/**
 * Cosine to the neutral face below which a frame shows somebody else; a turned head costs a living person up to half
 * (measured: turned 0.64 and up, looking far up 0.45 and up). What counts as the action must be closer: one stranger
 * in ten thousand is, and a frame at the end of a movement need not be the one that shows it.
 */
export const samePerson = { frontal: 0.45, moving: 0.28, acting: 0.4 } as const

/** As above for dlib's embeddings, whose strangers begin at 0.84: one stranger in a thousand, and one in a hundred. */
export const samePersonByDlib = { frontal: 0.93, moving: 0.91 } as const

/** Whether every face of the frames is the neutral one's person. */
export function isSamePerson(frames: readonly Observation[], neutral: Neutral): boolean {
  return likenessesTo(neutral, frames).every(isEnough)
}

function isEnough({ value, limit }: Likeness): boolean {
  return value >= limit
}

/** The frames of a visit that show a face, and those of them that are straight. */
interface Shown {
  readonly seen: readonly Observation[]
  readonly frontal: readonly Observation[]
  readonly neutral: Neutral | undefined
}

/** Whether all frames of a visit show one person; true where nobody was seen. */
export function isOnePerson({ seen, frontal, neutral }: Shown): boolean {
  return neutral === undefined || (isSamePerson(seen, neutral) && likenessesAmong(frontal).every(isEnough))
}

/** Whether a frame that shows the action shows it by the neutral one's person, and not by just anybody alike. */
export function isActor(face: ObservedFace | null, neutral: Neutral): boolean {
  if (face === null || face.embedding.length === 0) return true
  return cosine(face.embedding, neutral.embedding) >= samePerson.acting
}

/** How alike two faces are, cosine, and how alike they must be. */
export interface Likeness {
  readonly value: number
  readonly limit: number
}

/** Of all that is compared in a visit, what is nearest to its limit, or farthest below it; undefined where nothing is compared. */
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
 * Straight frames, each compared with each other one. [Note: Alike to one that is alike to both] A picture mixed of
 * two people resembles both: compared with that one alone, one could act and the other give the face. Measured: of 37 living people in
 * up to 24 pictures each, also laughing and talking, the two most different pictures of any have 0.54. Not asked of dlib's embeddings, for which
 * this was not measured.
 */
function likenessesAmong(frontal: readonly Observation[]): Likeness[] {
  const faces = frontal.flatMap(({ face }) => (face?.embedding.length ? [face.embedding] : []))
  return faces.flatMap((face, at) => {
    if (limitsOf(face) !== samePerson) return []
    return faces.slice(0, at).map((other) => ({ value: cosine(face, other), limit: samePerson.frontal }))
  })
}

/** The length of an embedding tells which model made it. */
function limitsOf({ length }: readonly number[]) {
  return length === embeddingLengths['dlib-face/2'] ? samePersonByDlib : samePerson
}

import { embeddingLengths } from './embedding.ts'
import type { NeutralFace } from './face/neutral-face.ts'
import { isTurned } from './fair-frame.ts'
import type { Observation, ObservedFace } from './observation.ts'
import { cosine } from './similarity.ts'

/**
 * The minimum cosine with the neutral face. Below it, a frame shows a different person. Turning the head can cost a living person up to half
 * (measured: at least 0.64 when turned, and at least 0.45 when looking far up). The frame that shows the action must be closer, as one stranger in
 * ten thousand is. A frame at the end of a movement does not have to be that frame.
 */
export const samePerson = { frontal: 0.45, moving: 0.28, acting: 0.4 } as const

/** The same for dlib's embeddings, for which strangers start at 0.84: reached by one stranger in a thousand, and one in a hundred. */
export const samePersonByDlib = { frontal: 0.93, moving: 0.91 } as const

/** True if every face in the frames belongs to the person with the neutral face. */
export function isSamePerson(frames: readonly Observation[], neutral: NeutralFace): boolean {
  return likenessesTo(neutral, frames).every(isEnough)
}

function isEnough({ value, limit }: Likeness): boolean {
  return value >= limit
}

/** A visit's frames that show a face, and the straight ones among them. */
interface VisitFrames {
  readonly seen: readonly Observation[]
  readonly frontal: readonly Observation[]
  readonly neutral: NeutralFace | undefined
}

/** True if all of a visit's frames show the same person, or if none of them shows a face. */
export function isOnePerson({ seen, frontal, neutral }: VisitFrames): boolean {
  return neutral === undefined || (isSamePerson(seen, neutral) && likenessesAmong(frontal).every(isEnough))
}

/** True if the person with the neutral face, and not just a similar one, performs the action in a frame. */
export function isActor(face: ObservedFace | null, neutral: NeutralFace): boolean {
  if (face === null || face.embedding.length === 0) return true
  return cosine(face.embedding, neutral.embedding) >= samePerson.acting
}

/** The cosine between two faces, and the minimum for them to be the same person. */
export interface Likeness {
  readonly value: number
  readonly limit: number
}

/** The comparison in a visit that is closest to its limit, or farthest below it. Undefined if nothing was compared. */
export function leastLikeness({ seen, frontal, neutral }: VisitFrames): Likeness | undefined {
  if (neutral === undefined) return undefined
  const compared = [...likenessesTo(neutral, seen), ...likenessesAmong(frontal)]
  return compared.toSorted((a, b) => a.value - a.limit - (b.value - b.limit))[0]
}

function likenessesTo(neutral: NeutralFace, frames: readonly Observation[]): Likeness[] {
  return frames.flatMap(({ face }) => {
    if (face === null || face.embedding.length === 0) return []
    const limits = limitsOf(face.embedding)
    const limit = isTurned(face, neutral) ? limits.moving : limits.frontal
    return [{ value: cosine(face.embedding, neutral.embedding), limit }]
  })
}

/**
 * Compares straight frames with each other. [Note: Alike to one that is alike to both] A picture that blends two people resembles both of them. If
 * all frames were only compared with that picture, one person could act while the other provides the face. For 37 living people in up to 24 pictures
 * each, some of them laughing and talking, the lowest cosine is 0.54. Not applied to dlib's embeddings, for which this was not measured.
 */
function likenessesAmong(frontal: readonly Observation[]): Likeness[] {
  const faces = frontal.flatMap(({ face }) => (face?.embedding.length ? [face.embedding] : []))
  return faces.flatMap((face, at) => {
    if (limitsOf(face) !== samePerson) return []
    return faces.slice(0, at).map((other) => ({ value: cosine(face, other), limit: samePerson.frontal }))
  })
}

/** Each model's embeddings have a different length. */
function limitsOf({ length }: readonly number[]) {
  return length === embeddingLengths['dlib-face/2'] ? samePersonByDlib : samePerson
}

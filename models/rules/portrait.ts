import { embeddingLengths, embeddingModel, searchedModels, toUnit } from './embedding.ts'
import { type NeutralFace, neutralOf } from './face/neutral-face.ts'
import { isFair } from './fair-frame.ts'
import type { Observation, ObservedFace } from './observation.ts'
import { isComparable } from './quality/poor-look.ts'
import { joined } from './templates.ts'

/** A visit's frames that show a face. */
export interface Faces {
  readonly seen: readonly Observation[]
  /** The person's face at rest, or undefined if there is no face. */
  readonly neutral: NeutralFace | undefined
  /** The frames in which the face can be judged fairly. */
  readonly frontal: readonly Observation[]
}

export function facesIn(observations: readonly Observation[]): Faces {
  const seen = observations.filter(({ face }) => face !== null)
  const neutral = neutralOf(seen.filter(({ step }) => step === 0)) ?? neutralOf(seen)
  const frontal = neutral === undefined ? [] : seen.filter(({ face }) => isFair(face!, neutral))
  return { seen, neutral, frontal }
}

/** The weight of a frame with quality 0, which is an eleventh of the best frame's weight. */
const leastWeight = 0.1

/**
 * The person's unit embedding, joined with the second one if there is one. Null if no frame has an embedding.
 * [Note: Better frames weigh more] The mean over the frames is better than any single frame, but a blurred, dark or partly covered frame would spoil
 * it, so each frame is weighted by its quality.
 */
export function portraitOf(frontal: readonly Observation[]): number[] | null {
  const faces = frontal.flatMap(({ face }) => (face!.embedding.length > 0 ? [face!] : []))
  if (faces.length === 0) return null
  const first = weightedMean(faces, ({ embedding }) => embedding)
  const hasSecond = faces.every(({ secondEmbedding }) => secondEmbedding !== undefined)
  const second = hasSecond ? weightedMean(faces, ({ secondEmbedding }) => secondEmbedding!) : undefined
  return Array.from(joined({ first, second }))
}

/**
 * True if a portrait shows enough of the person to be compared. If two embeddings are joined, the first one decides. An embedding from a model that
 * is no longer in use is not judged.
 */
export function isComparablePortrait(portrait: readonly number[]): boolean {
  const first = toUnit(portrait.slice(0, embeddingLengths[embeddingModel]))
  const isOfUse = searchedModels.some((model) => embeddingLengths[model] === first.length)
  return !isOfUse || isComparable(first)
}

/** The former model's portrait, or undefined if a frame has no embedding from that model. */
export function formerPortraitOf(frontal: readonly Observation[]): readonly number[] | undefined {
  const faces = frontal.flatMap(({ face }) => (face!.embedding.length > 0 ? [face!] : []))
  const hasFormer = faces.length > 0 && faces.every(({ formerEmbedding }) => formerEmbedding !== undefined)
  return hasFormer ? Array.from(weightedMean(faces, ({ formerEmbedding }) => formerEmbedding!)) : undefined
}

function weightedMean(
  faces: readonly ObservedFace[],
  read: (face: ObservedFace) => readonly number[],
): Float32Array {
  const sum = new Array<number>(read(faces[0]!).length).fill(0)
  for (const face of faces) {
    const weight = leastWeight + (face.frameQuality ?? 1)
    for (const [i, value] of read(face).entries()) sum[i]! += weight * value
  }
  return toUnit(sum)
}

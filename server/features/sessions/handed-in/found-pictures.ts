import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { FrameFinding } from '#server/features/sessions/judging/analyse-frames.ts'

/** The findings in a batch of pictures. Pictures that cannot be decoded have none. */
export interface FoundPictures {
  readonly frames: readonly FrameFinding[]
  readonly film: readonly TrailPoint[]
}

/** Half of it is a small grey picture of the face: the fastest level makes it as small as any. */
const level = 1

/**
 * As bytes, with every number as it was. [Note: Numbers keep their last digit] The same pictures get the same verdict whether they were handed in early
 * or not, and JSON has no typed arrays.
 */
export function packFound(found: FoundPictures): Buffer {
  return deflateRawSync(serialize(found), { level })
}

/** Reads what `packFound` wrote. */
export function unpackFound(bytes: Uint8Array): FoundPictures {
  return deserialize(inflateRawSync(bytes)) as FoundPictures
}

import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { FrameFinding } from '#server/features/sessions/pictures/analyse-frames.ts'

/** The findings in a batch of pictures. Pictures that cannot be decoded have no findings. */
export interface BatchFindings {
  readonly frames: readonly FrameFinding[]
  readonly film: readonly TrailPoint[]
}

/** The fastest level, because half of the data is a small grey picture of the face, which higher levels do not compress further. */
const level = 1

/**
 * Packs the findings into bytes, preserving every number exactly. [Note: Numbers keep their last digit] Pictures get the same verdict whether
 * or not they were sent early, and JSON has no typed arrays.
 */
export function packFindings(found: BatchFindings): Buffer {
  return deflateRawSync(serialize(found), { level })
}

/** Reads the output of `packFindings`. */
export function unpackFindings(bytes: Uint8Array): BatchFindings {
  return deserialize(inflateRawSync(bytes)) as BatchFindings
}

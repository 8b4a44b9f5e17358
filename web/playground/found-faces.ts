import type { getQuality } from '#shared/contract/analysis/face-quality.ts'
import type { Face } from '#shared/contract/analysis/image.ts'
import type { ResultOf } from '#shared/endpoint.ts'

/** A face in the answer of get-quality. */
export type QualityFace = ResultOf<typeof getQuality>['faces'][number]

/** Finds the same face in the answer of another endpoint. The order of faces differs, but the box is the same. */
export function sameFace<T extends { readonly face: Face }>(
  faces: readonly T[] | null | undefined,
  { boundingBox: box }: Face,
): T | undefined {
  return faces?.find(({ face: { boundingBox: other } }) =>
    (['x', 'y', 'width', 'height'] as const).every((side) => other[side] === box[side]),
  )
}

/** The largest face, which endpoints for a single face select. */
export function largestOf<T extends { readonly face: Face }>(faces: readonly T[]): T | undefined {
  const sizeOf = ({ face: { boundingBox } }: T) => boundingBox.width * boundingBox.height
  return [...faces].sort((a, b) => sizeOf(b) - sizeOf(a))[0]
}

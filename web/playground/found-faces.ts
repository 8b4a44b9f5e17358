import type { getQuality } from '#shared/contract/analysis/face-quality.ts'
import type { Face } from '#shared/contract/analysis/image.ts'
import type { ResultOf } from '#shared/endpoint.ts'

/** A face from the answer to get-quality. */
export type QualityFace = ResultOf<typeof getQuality>['faces'][number]

/** Finds the same face in another endpoint's answer. The faces may be in a different order, but their boxes are identical. */
export function sameFace<T extends { readonly face: Face }>(
  faces: readonly T[] | null | undefined,
  { boundingBox: box }: Face,
): T | undefined {
  return faces?.find(({ face: { boundingBox: other } }) =>
    (['x', 'y', 'width', 'height'] as const).every((side) => other[side] === box[side]),
  )
}

/** The largest face, which is the one that single-face endpoints select. */
export function largestOf<T extends { readonly face: Face }>(faces: readonly T[]): T | undefined {
  const sizeOf = ({ face: { boundingBox } }: T) => boundingBox.width * boundingBox.height
  return [...faces].sort((a, b) => sizeOf(b) - sizeOf(a))[0]
}

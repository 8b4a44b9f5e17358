import type { Analysis } from './analysis.ts'

/** A face in the background, narrower than this share of the dominant one, is not a second person in the check. */
const secondFaceShare = 0.4

/** How many people stand before the camera in a picture. */
export function countFaces({ face, others }: Pick<Analysis, 'face' | 'others'>): number {
  if (face === undefined) return 0
  return 1 + others.filter(({ box }) => box.width >= secondFaceShare * face.box.width).length
}

/** The highest number of faces that at least two pictures agree on, or that the only picture shows. */
export function agreedCount(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => b - a)
  return sorted[1] ?? sorted[0] ?? 0
}

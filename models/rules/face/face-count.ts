import type { Analysis } from '#models/rules/analysis.ts'

/** A face narrower than this share of the dominant face is in the background and does not count as a second person. */
export const secondFaceShare = 0.4

/** The number of people in front of the camera in a picture. */
export function countFaces({ face, others }: Pick<Analysis, 'face' | 'others'>): number {
  if (face === undefined) return 0
  return 1 + others.filter(({ box }) => box.width >= secondFaceShare * face.box.width).length
}

/** The highest face count that at least two pictures agree on, or the count of the only picture. */
export function agreedCount(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => b - a)
  return sorted[1] ?? sorted[0] ?? 0
}

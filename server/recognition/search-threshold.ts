/** Score and minus the decimal logarithm of the false positive rate there: the calibrated points of the scale. */
const calibrated = [
  [80, 4],
  [90, 5],
  [95, 6],
] as const

/** What one comparison must reach. */
export const matchScore = 80

/**
 * The score that a search must reach: collection size times false positive rate stays at or below 0.01, and never
 * below 80. Beyond the calibrated range the last point stands and the answer says so.
 */
export function searchThreshold(size: number): { score: number; galleryTooLarge: boolean } {
  const needed = Math.log10(Math.max(1, size)) + 2
  for (let i = 0; i < calibrated.length; i++) {
    const [score, exponent] = calibrated[i]!
    if (needed > exponent) continue
    const [lowScore, lowExponent] = calibrated[Math.max(0, i - 1)]!
    if (i === 0) return { score, galleryTooLarge: false }
    const share = (needed - lowExponent) / (exponent - lowExponent)
    return { score: lowScore + share * (score - lowScore), galleryTooLarge: false }
  }
  return { score: calibrated.at(-1)![0], galleryTooLarge: true }
}

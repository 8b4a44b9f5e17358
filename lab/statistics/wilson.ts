/** The 97.5th percentile of the normal distribution. */
const z = 1.959964

/** The 95 % interval for a share of `n` independent cases (Wilson 1927). */
export function wilson(hits: number, n: number): { low: number; high: number } {
  const share = hits / n
  const spread = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))
  const centre = share + (z * z) / (2 * n)
  const scale = 1 + (z * z) / n
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) }
}

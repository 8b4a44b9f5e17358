import type { Observation } from '#models/rules/observation.ts'

/**
 * How alike the rims of two frames of one visit must be, and how close their light. Measured on footage on a stand and
 * in the hand, cut between takes: at least 0.54 and 0.12 at the weakest link; different photographs of one person
 * reach both in 8 of 100 pairs, and in 1 of 100 sets of five.
 */
export const sceneLimits = { likeness: 0.45, light: 0.2 } as const

/**
 * Whether all frames were taken in one place: each must resemble another one, and all must hang together.
 *
 * [Note: One place throughout] Photographs of one person, sent one for each action, have that person's identity and a
 * real head's geometry. What they do not have is one background and one light.
 */
export function isOnePlace(observations: readonly Observation[]): boolean {
  const frames = observations.filter(({ rim }) => rim.length > 0)
  const reached = new Set(frames.slice(0, 1))
  for (let grown = true; grown; ) {
    const next = frames.filter(
      (frame) => !reached.has(frame) && [...reached].some((other) => alike(frame, other)),
    )
    for (const frame of next) reached.add(frame)
    grown = next.length > 0
  }
  return reached.size === frames.length
}

function alike(a: Observation, b: Observation): boolean {
  const light = Math.abs(Math.log(Math.max(1, a.luminance) / Math.max(1, b.luminance)))
  return light <= sceneLimits.light && likenessOf(a.rim, b.rim) >= sceneLimits.likeness
}

/** An even wall has no pattern to compare: this much contrast counts as none, and two of them are alike. */
const evenContrast = 8

/** Correlation of two rims, -1...1; 1 for two even ones. */
export function likenessOf(a: readonly number[], b: readonly number[]): number {
  const from = centred(a)
  const to = centred(b)
  if (from.contrast < evenContrast && to.contrast < evenContrast) return 1
  const product = from.values.reduce((sum, value, i) => sum + value * to.values[i]!, 0)
  return product / ((from.contrast + evenContrast) * (to.contrast + evenContrast))
}

function centred(rim: readonly number[]): { values: number[]; contrast: number } {
  const mean = rim.reduce((sum, value) => sum + value, 0) / rim.length
  const values = rim.map((value) => value - mean)
  return { values, contrast: Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) }
}

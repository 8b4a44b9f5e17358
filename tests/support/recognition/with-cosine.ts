import { toUnit } from '#models/rules/embedding.ts'
import { cosine } from '#models/rules/similarity.ts'

/** A unit vector that has this cosine with another one, in the plane of that vector and a third. */
export function withCosine(own: Float32Array, away: Float32Array, wanted: number): Float32Array {
  const along = cosine(own, away)
  const across = toUnit(Array.from(away, (value, i) => value - along * own[i]!))
  return toUnit(Array.from(own, (value, i) => wanted * value + Math.sqrt(1 - wanted ** 2) * across[i]!))
}

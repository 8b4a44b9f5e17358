import { toUnit } from '#models/rules/embedding.ts'
import weights from '../../../models/weights/poor-look.json' with { type: 'json' }
import { randomEmbedding } from '../drawn/random-face.ts'

const { directions, linear } = weights['fr-feature/2']
const used = 4

/** The ends of the strongest directions in poor pictures, which reduce the visible part of an embedding. */
const look = toUnit(
  directions[0]!.map((_, i) =>
    directions
      .slice(0, used)
      .reduce((sum, direction, k) => sum - Math.sign(linear[k]!) * (direction[i]! / (1 + k)), 0),
  ),
)

/** A poor picture's embedding. `share` is the part of its squared length that all poor pictures have in common. */
export function poorEmbedding(person: number, share: number): Float32Array {
  const own = randomEmbedding(person)
  return toUnit(own.map((value, i) => value * Math.sqrt(1 - share) + look[i]! * Math.sqrt(share)))
}

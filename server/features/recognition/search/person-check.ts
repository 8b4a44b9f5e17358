import type { EmbeddingModel } from '#models/rules/embedding.ts'
import { poorDirections } from '#models/rules/person-part.ts'
import type { Arena, Segment } from './arena.ts'
import type { Kernel } from './kernel/open-kernel.ts'

/** Whether a vector, as the bytes of its numbers, shows enough of a person to be compared: what `showsPerson` says, for a million of them. */
export type PersonCheck = (vector: Uint8Array, model: EmbeddingModel) => boolean

export function createPersonCheck(kernel: Kernel, arena: Arena): PersonCheck {
  const { length, scratch } = arena
  const places = new Map<EmbeddingModel, Segment>()

  function placeOf(model: EmbeddingModel): number {
    const known = places.get(model) ?? arena.take()
    if (!places.has(model)) {
      const { directions } = poorDirections(model)
      for (const [i, direction] of directions.entries())
        arena.numbers(known.vectors + i * length * Float32Array.BYTES_PER_ELEMENT, length).set(direction)
      places.set(model, known)
    }
    return known.vectors
  }

  return (vector, model) => {
    const { directions, leastRest } = poorDirections(model)
    const place = placeOf(model)
    arena.bytes(scratch.vector, vector.length).set(vector)
    kernel.dots(place, directions.length, scratch.vector, length, scratch.products)
    const along = arena.numbers(scratch.products, directions.length)
    return along.reduce((rest, value) => rest - value * value, 1) >= leastRest
  }
}

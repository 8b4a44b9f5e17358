import { deriveKey } from '#server/platform/crypto/key-ring.ts'

/**
 * How many rounds of random signs and a Hadamard transform. After three, the result is nearly indistinguishable from a
 * uniformly random rotation.
 */
const rounds = 3

/** Rotates a vector, preserving lengths and angles. */
export type Rotation = (vector: ArrayLike<number>) => Float32Array

/**
 * A collection's rotation, derived from its key. The same key rotates every embedding alike, and losing the key loses the
 * rotation.
 * `length` is a power of two.
 */
export function createRotation(key: Uint8Array, length: number): Rotation {
  if (length < 2 || (length & (length - 1)) !== 0)
    throw new TypeError('The length of a rotation must be a power of two')
  const signs = Array.from({ length: rounds }, (_, round) => deriveSigns(key, round, length))
  const scale = 1 / Math.sqrt(length)
  return (vector) => {
    const turned = Float32Array.from(vector)
    for (const flips of signs) {
      for (let i = 0; i < length; i++) turned[i] = turned[i]! * flips[i]! * scale
      transform(turned)
    }
    return turned
  }
}

/** Signs of 1 or -1, from a derived key's bits. */
function deriveSigns(key: Uint8Array, round: number, length: number): Float32Array {
  const signs = new Float32Array(length)
  let bytes: Uint8Array = new Uint8Array()
  for (let i = 0; i < length; i++) {
    if (i % 256 === 0) bytes = deriveKey(key, `face-code-rotation/${round}/${i}`)
    signs[i] = (bytes[(i % 256) >> 3]! >> (i & 7)) & 1 ? 1 : -1
  }
  return signs
}

/** The in-place Walsh-Hadamard transform, without scaling. */
function transform(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let i = start; i < start + half; i++) {
        const a = values[i]!
        const b = values[i + half]!
        values[i] = a + b
        values[i + half] = a - b
      }
    }
  }
}

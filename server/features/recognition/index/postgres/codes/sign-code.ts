/**
 * The signs of a rotated embedding, one bit each: 1 for zero and above. The first component is the highest bit, as
 * PostgreSQL writes `bit(n)`.
 */
export function signCode(turned: ArrayLike<number>): Uint8Array {
  const code = new Uint8Array(turned.length / 8)
  for (let i = 0; i < turned.length; i++) {
    if (turned[i]! >= 0) code[i >> 3] = code[i >> 3]! | (128 >> (i & 7))
  }
  return code
}

/** A code in PostgreSQL's text format. */
export function codeText(code: Uint8Array): string {
  return `x${Buffer.from(code).toString('hex')}`
}

/** The number of bits in which two codes differ. */
export function hammingDistance(one: Uint8Array, other: Uint8Array): number {
  let distance = 0
  for (let i = 0; i < one.length; i++) {
    for (let bits = one[i]! ^ other[i]!; bits !== 0; bits &= bits - 1) distance++
  }
  return distance
}

/** Estimates a face's similarity to the query from its code; see code-bounds.ts. */
export type EstimateCosine = (codes: Uint8Array, start: number) => number

/**
 * Estimates cosines between a full-precision query and the faces' codes. A code contains only each component's sign; the
 * mean absolute component turns the sum into a cosine. Uses a lookup table per byte.
 */
export function createEstimator(turned: Float32Array): EstimateCosine {
  const length = turned.length / 8
  const scale = Math.sqrt(Math.PI / (2 * turned.length))
  const sums = new Float32Array(length * 256)
  for (let place = 0; place < length; place++) {
    for (let byte = 0; byte < 256; byte++) {
      let sum = 0
      for (let bit = 0; bit < 8; bit++) {
        const value = turned[place * 8 + bit]!
        sum += byte & (128 >> bit) ? value : -value
      }
      sums[place * 256 + byte] = sum * scale
    }
  }
  return (codes, start) => {
    let sum = 0
    for (let place = 0; place < length; place++) sum += sums[place * 256 + codes[start + place]!]!
    return sum
  }
}

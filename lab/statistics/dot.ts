/** The dot product of two rows of packed vectors. Uses four sums, because with a single one, each step would have to wait for the previous step. */
export function dot(a: Float32Array, atA: number, b: Float32Array, atB: number, length: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  let i = 0
  for (; i + 3 < length; i += 4) {
    s0 += a[atA + i]! * b[atB + i]!
    s1 += a[atA + i + 1]! * b[atB + i + 1]!
    s2 += a[atA + i + 2]! * b[atB + i + 2]!
    s3 += a[atA + i + 3]! * b[atB + i + 3]!
  }
  for (; i < length; i++) s0 += a[atA + i]! * b[atB + i]!
  return s0 + s1 + s2 + s3
}

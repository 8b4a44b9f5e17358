/** Every face in float32, one behind the other, as far as they came. */
export function keepFaces(length: number, size: number) {
  const faces = new Float32Array(size * length)
  let count = 0
  return {
    insert(vectors: Float32Array, first: number): void {
      faces.set(vectors, first * length)
      count = first + vectors.length / length
    },
    /** Those that came. */
    kept: () => faces.subarray(0, count * length),
  }
}

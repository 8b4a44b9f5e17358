/** Stores all inserted faces in float32, one after another. */
export function keepFaces(length: number, size: number) {
  const faces = new Float32Array(size * length)
  let count = 0
  return {
    insert(vectors: Float32Array, first: number): void {
      faces.set(vectors, first * length)
      count = first + vectors.length / length
    },
    /** The faces that have been inserted so far. */
    kept: () => faces.subarray(0, count * length),
  }
}

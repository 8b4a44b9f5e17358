import { dot } from '#models/evaluate/statistics/dot.ts'
import type { RivalKind } from './rival.ts'

/** Every face in float32, one after the other, in plain JavaScript: what everything else is measured by. */
export const fullScan: RivalKind = {
  title: 'a full float32 scan in JavaScript',
  open({ length, size }) {
    const faces = new Float32Array(size * length)
    let count = 0
    return {
      insert(vectors, first) {
        faces.set(vectors, first * length)
        count = first + vectors.length / length
      },
      closest(embedding) {
        let [face, cosine] = [-1, Number.NEGATIVE_INFINITY]
        for (let i = 0; i < count; i++) {
          const likeness = dot(faces, i * length, embedding, 0, length)
          if (likeness > cosine) [face, cosine] = [i, likeness]
        }
        return { face, cosine }
      },
    }
  },
}

import { dot } from '#lab/statistics/dot.ts'
import { keepFaces } from './kept-faces.ts'
import type { RivalKind } from './rival.ts'

/** Scans all faces in float32, one after another, in plain JavaScript. This is the baseline for everything else. */
export const fullScan: RivalKind = {
  title: 'a full float32 scan in JavaScript',
  open({ length, size }) {
    const { insert, kept } = keepFaces(length, size)
    return {
      insert,
      closest(embedding) {
        const faces = kept()
        let [face, cosine] = [-1, Number.NEGATIVE_INFINITY]
        for (let i = 0; i * length < faces.length; i++) {
          const likeness = dot(faces, i * length, embedding, 0, length)
          if (likeness > cosine) [face, cosine] = [i, likeness]
        }
        return { face, cosine }
      },
    }
  },
}

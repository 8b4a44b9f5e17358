import { expect, test } from 'vitest'
import { largestOf, sameFace } from '#web/playground/found-faces.ts'

const faceAt = (x: number, width = 10) => ({
  face: { confidence: 0.9, boundingBox: { x, y: 0, width, height: 10 } },
})

test('a face is found in another answer by its box, in any order', () => {
  const faces = [faceAt(3), faceAt(1), faceAt(2)]
  expect(sameFace(faces, faceAt(1).face)).toBe(faces[1])
  expect(sameFace(faces, faceAt(1, 11).face)).toBeUndefined()
  expect(sameFace(null, faceAt(1).face)).toBeUndefined()
})

test('the largest face is the one with the largest box', () => {
  const faces = [faceAt(1, 9), faceAt(2, 12), faceAt(3, 11)]
  expect(largestOf(faces)).toBe(faces[1])
  expect(largestOf([])).toBeUndefined()
})

import { expect, test } from 'vitest'
import { cosine } from '#models/rules/similarity.ts'
import { createRotation } from '#server/features/recognition/index/postgres/codes/rotation.ts'
import { signCode } from '#server/features/recognition/index/postgres/codes/sign-code.ts'
import { randomEmbedding } from '../../../../../../support/drawn/random-face.ts'

const key = Buffer.alloc(32, 3)

test.each([128, 512])('a rotation of %i numbers preserves lengths and angles', (length) => {
  const rotation = createRotation(key, length)
  const [a, b] = [randomEmbedding(1, length), randomEmbedding(2, length)]
  expect(Math.hypot(...rotation(a))).toBeCloseTo(1, 5)
  expect(cosine(rotation(a), rotation(b))).toBeCloseTo(cosine(a, b), 5)
})

test('the same key rotates the same way, another one does not', () => {
  const turned = createRotation(key, 512)(randomEmbedding(1))
  expect(createRotation(key, 512)(randomEmbedding(1))).toEqual(turned)
  const other = createRotation(Buffer.alloc(32, 4), 512)(randomEmbedding(1))
  expect(Math.abs(cosine(turned, other))).toBeLessThan(0.3)
})

test('a vector with a single nonzero number is spread over all of them', () => {
  const axis = new Float32Array(512)
  axis[77] = 1
  const turned = createRotation(key, 512)(axis)
  expect(Math.max(...turned.map(Math.abs))).toBeLessThan(0.3)
  const ones = signCode(turned).reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
  expect(Math.abs(ones - 256)).toBeLessThan(60)
})

test.each([0, 1, 100])('there is no rotation of %i numbers', (length) => {
  expect(() => createRotation(key, length)).toThrow(TypeError)
})

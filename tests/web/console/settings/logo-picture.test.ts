import { expect, test } from 'vitest'
import { sizeOfDrawing, sizeWithin } from '#web/console/settings/logo-picture.ts'

test.each([
  [512, 512, { width: 512, height: 512 }],
  [513, 100, { width: 512, height: 100 }],
  [100, 2048, { width: 25, height: 512 }],
  [4000, 1, { width: 512, height: 1 }],
  [40, 20, { width: 40, height: 20 }],
])('a picture of %d by %d', (width, height, size) => {
  expect(sizeWithin(width, height)).toEqual(size)
})

test.each([
  [40, 20, { width: 512, height: 256 }],
  [0, 0, { width: 512, height: 512 }],
])('a drawing of %d by %d', (width, height, size) => {
  expect(sizeOfDrawing(width, height)).toEqual(size)
})

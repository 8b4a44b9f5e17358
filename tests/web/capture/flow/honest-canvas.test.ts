import { expect, test } from 'vitest'
import { showsPictures } from '#web/capture/flow/honest-canvas.ts'

/** A canvas that passes its pixels through `read` when they are read back. */
const canvas = (read: (value: number) => number) => () => {
  let pixel: number[] = []
  const context = {
    set fillStyle(colour: string) {
      pixel = [...colour.matchAll(/\d+/g)].map(Number).concat(255)
    },
    fillRect: () => {},
    getImageData: () => ({
      data: new Uint8ClampedArray(
        Array.from({ length: 64 }, () => pixel)
          .flat()
          .map(read),
      ),
    }),
  }
  return { getContext: () => context } as unknown as HTMLCanvasElement
}

test.each([
  ['as they were drawn', (value: number) => value, true],
  ['with other last bits', (value: number) => value ^ 3, true],
  ['at random', () => Math.floor(Math.random() * 256), false],
  ['white', () => 255, false],
  ['empty', () => 0, false],
])('a browser gives pixels %s', (_how, read, shows) => {
  expect(showsPictures([canvas(read)])).toBe(shows)
  expect(showsPictures([canvas((value) => value), canvas(read)])).toBe(shows)
})

test('a browser that refuses to give any hides them', () => {
  const refusing = canvas(() => {
    throw new DOMException('refused', 'SecurityError')
  })
  expect(showsPictures([refusing])).toBe(false)
})

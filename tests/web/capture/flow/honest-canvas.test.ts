import { afterEach, expect, test, vi } from 'vitest'
import { encodesPictures, showsPictures } from '#web/capture/flow/honest-canvas.ts'

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

afterEach(() => vi.unstubAllGlobals())

/** A browser whose pictures are read back as they are. `encode` changes each value on the way into a file. */
function encoding(encode: (value: number) => number) {
  vi.stubGlobal('createImageBitmap', async (values: readonly number[]) => values)
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext() {
        let drawn: readonly number[] = []
        return {
          drawImage: (values: readonly number[]) => {
            drawn = values
          },
          getImageData: () => ({
            data: Uint8ClampedArray.from(
              Array(64)
                .fill([...drawn, 255])
                .flat(),
            ),
          }),
        }
      }
    },
  )
  return encodesPictures([async (colour) => colour.map(encode) as never])
}

test.each([
  ['as they were drawn', (value: number) => value, true],
  ['nearly as they were drawn', (value: number) => value + 2, true],
  ['as noise', () => Math.random() * 256, false],
  ['as white', () => 255, false],
])('a browser encodes pictures %s', async (_how, encode, encodes) => {
  expect(await encoding(encode)).toBe(encodes)
})

test('a browser that refuses to encode pictures hides them', async () => {
  expect(await encodesPictures([() => Promise.reject(new DOMException('refused', 'SecurityError'))])).toBe(
    false,
  )
})

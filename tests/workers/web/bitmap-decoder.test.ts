import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CameraPicture, createBitmapDecoder } from '#workers/web/bitmap-decoder.ts'

/** The sources that were drawn, in order. */
let drawn: unknown[] = []

/** A canvas that consists entirely of pixels with the value 1. */
class FakeCanvas {
  constructor(
    public width: number,
    public height: number,
  ) {}
  getContext() {
    return {
      canvas: this,
      putImageData: () => undefined,
      drawImage: (source: unknown) => drawn.push(source),
      getImageData: (_x: number, _y: number, width: number, height: number) => ({
        data: new Uint8ClampedArray(4 * width * height).fill(1),
      }),
    }
  }
}

class FakeImageData {}

/** An 8 x 4 frame with pixels that are all 2 when they are copied. */
function frame(differences: object = {}) {
  const size = { width: 8, height: 4 }
  const copyTo = async (to: Uint8ClampedArray) => void to.fill(2)
  const allocationSize = () => 4 * size.width * size.height
  const asShown = { displayWidth: size.width, displayHeight: size.height, visibleRect: size, rotation: 0 }
  return { format: 'I420', ...asShown, copyTo, allocationSize, ...differences } as unknown as CameraPicture
}

describe('pixels of a picture of the camera', () => {
  beforeEach(() => {
    drawn = []
    vi.stubGlobal('OffscreenCanvas', FakeCanvas)
    vi.stubGlobal('ImageData', FakeImageData)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test('are copied from a frame, without a canvas', async () => {
    const { rgba, ...size } = await createBitmapDecoder().pixels(frame())
    expect(size).toEqual({ width: 8, height: 4 })
    expect([...new Set(rgba)]).toEqual([2])
    expect(drawn).toEqual([])
  })

  test('are made fewer from the copy of a large frame, not from the frame', async () => {
    const large = frame()
    const { width, height } = await createBitmapDecoder().pixels(large, 4)
    expect([width, height]).toEqual([4, 2])
    expect(drawn).toEqual([expect.any(FakeCanvas)])
  })

  test.each([
    ['lies on its side', { rotation: 90 }],
    ['is mirrored', { flip: true }],
    ['has pixels that are not square', { displayWidth: 16 }],
    ['has its planes cut', { visibleRect: { width: 8, height: 2 } }],
    ['has a format whose copy may be in another order', { format: 'BGRA' }],
    ['is on the graphics card', { format: null }],
    ['cannot be converted by this browser', { allocationSize: () => 48 }],
    ['cannot be copied', { copyTo: () => Promise.reject(new Error('not readable')) }],
  ])('are drawn from a frame that %s', async (_, differences) => {
    const picture = frame(differences)
    const { rgba } = await createBitmapDecoder().pixels(picture)
    expect([...new Set(rgba)]).toEqual([1])
    expect(drawn).toEqual([picture])
  })

  test('are drawn from a bitmap', async () => {
    const bitmap = { width: 8, height: 4 } as ImageBitmap
    await createBitmapDecoder().pixels(bitmap)
    expect(drawn).toEqual([bitmap])
  })
})

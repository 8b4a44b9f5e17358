import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createJpegEncoder } from '#workers/web/jpeg-encoder.ts'

/** The encodings, as the longer side in pixels and the quality. */
const tried: (readonly [side: number, quality: number])[] = []

/** A canvas that encodes JPEGs with one byte per pixel on the longer side, multiplied by the quality. */
class FakeCanvas {
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}
  getContext() {
    return { drawImage: () => undefined }
  }
  async convertToBlob({ quality }: { quality: number }) {
    const side = Math.max(this.width, this.height)
    tried.push([side, Number(quality.toFixed(2))])
    return new Blob([new Uint8Array(Math.round(side * quality))])
  }
}

const bitmap = { width: 1280, height: 720 } as ImageBitmap

describe('a picture that is encoded to fit', () => {
  beforeEach(() => {
    tried.length = 0
    vi.stubGlobal('OffscreenCanvas', FakeCanvas)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test('has the requested quality if that fits', async () => {
    const bytes = await createJpegEncoder()(bitmap, { longestSide: 100, mostBytes: 80 }, 0.8)
    expect(bytes).toHaveLength(80)
    expect(tried).toEqual([[100, 0.8]])
  })

  test('has a lower quality if it does not, and the next one begins slightly above that', async () => {
    const encode = createJpegEncoder()
    await encode(bitmap, { longestSide: 100, mostBytes: 65 }, 0.8)
    expect(tried.map(([, quality]) => quality)).toEqual([0.8, 0.7, 0.6])
    tried.length = 0
    await encode(bitmap, { longestSide: 100, mostBytes: 65 }, 0.8)
    expect(tried.map(([, quality]) => quality)).toEqual([0.65])
  })

  test('is made smaller rather than unacceptably poor', async () => {
    const bytes = await createJpegEncoder()(bitmap, { longestSide: 100, mostBytes: 25 }, 0.5)
    expect(tried).toEqual([
      [100, 0.5],
      [100, 0.4],
      [100, 0.3],
      [80, 0.3],
    ])
    expect(bytes).toHaveLength(24)
  })

  test('is never larger than it was', async () => {
    await createJpegEncoder()(bitmap, { longestSide: 5000, mostBytes: 5000 }, 0.9)
    expect(tried).toEqual([[1280, 0.9]])
  })
})

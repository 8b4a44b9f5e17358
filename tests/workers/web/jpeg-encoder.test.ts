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
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  test('has the requested quality if that fits', async () => {
    const bytes = await createJpegEncoder()(bitmap, { longestSide: 100, mostBytes: 80 }, 0.8)
    expect(bytes).toHaveLength(80)
    expect(tried).toEqual([[100, 0.8]])
  })

  test('has a lower quality if it does not, in larger steps while it is far too large', async () => {
    await createJpegEncoder()(bitmap, { longestSide: 100, mostBytes: 50 }, 0.9)
    expect(tried.map(([, quality]) => quality)).toEqual([0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5])
  })

  test('starts where the last one fitted, or slightly above if that left room', async () => {
    const encode = createJpegEncoder()
    const qualities = async (mostBytes: number) => {
      tried.length = 0
      await encode(bitmap, { longestSide: 100, mostBytes }, 0.8)
      return tried.map(([, quality]) => quality)
    }
    expect(await qualities(65)).toEqual([0.8, 0.75, 0.7, 0.65])
    expect(await qualities(65)).toEqual([0.65])
    expect(await qualities(90)).toEqual([0.7])
    expect(await qualities(60)).toEqual([0.7, 0.65, 0.6])
  })

  test('is not made poor to have the wanted size, as long as it has no more bytes than allowed', async () => {
    const encode = createJpegEncoder()
    const qualities = async (mostBytes: number, wantedBytes: number) => {
      tried.length = 0
      const { length } = await encode(bitmap, { longestSide: 100, mostBytes, wantedBytes }, 0.9)
      return [length, ...tried.map(([, quality]) => quality)]
    }
    expect(await qualities(80, 75)).toEqual([75, 0.9, 0.85, 0.8, 0.75])
    expect(await qualities(80, 50)).toEqual([60, 0.75, 0.7, 0.65, 0.6])
    expect(await qualities(80, 50)).toEqual([60, 0.6])
    expect(await qualities(50, 40)).toEqual([50, 0.6, 0.55, 0.5])
    expect(await qualities(80, 90)).toEqual([55, 0.55])
  })

  test('carries no description of its colours', async () => {
    const profile = [0xff, 0xe2, 0, 4, 1, 2]
    const scan = [0xff, 0xda, 0, 2, 9]
    vi.spyOn(FakeCanvas.prototype, 'convertToBlob').mockResolvedValue(
      new Blob([Uint8Array.from([0xff, 0xd8, ...profile, ...scan])]),
    )
    const bytes = await createJpegEncoder()(bitmap, { longestSide: 100, mostBytes: 80 }, 0.8)
    expect([...bytes]).toEqual([0xff, 0xd8, ...scan])
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

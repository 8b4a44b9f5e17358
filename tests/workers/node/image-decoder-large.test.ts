import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Frame, rgbaOf } from '#models/picture/frame.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { some } from '../../../e2e/support/length.ts'
import { drawn } from '../../support/drawn/frames.ts'

/** Uses four colours. */
const { rgba } = drawn(64, 48, (x, y) => [y < 24 === x < 32 ? 255 : 0, x < 32 ? 0 : 255, y < 24 ? 0 : 255])
const small = sharp(rgba, { raw: { width: 64, height: 48, channels: 4 } }).removeAlpha()

async function picture(width: number, height: number, orientation = 1): Promise<Buffer> {
  return small.clone().resize(width, height, { fit: 'fill' }).withMetadata({ orientation }).jpeg().toBuffer()
}

/** The corners' colours, with each channel on or off. */
function corners(frame: Frame): string[] {
  const { width, height, rgba } = rgbaOf(frame)
  const at = (x: number, y: number) =>
    Array.from(rgba.slice((y * width + x) * 4, (y * width + x) * 4 + 3), (value) =>
      value > 128 ? 1 : 0,
    ).join('')
  const [right, bottom] = [width - 9, height - 9]
  return [at(8, 8), at(right, 8), at(8, bottom), at(right, bottom)]
}

describe('a picture of many pixels', () => {
  const sizes = [
    ['16,000,000', 4000, 4000, 4000, undefined],
    ['16,004,000', 4001, 4000, 2001, 2],
    ['24,000,000', 6000, 4000, 3000, 2],
  ] as const
  test.each(some(sizes, 2))(
    'of %s is decoded whole or at half its size',
    async (_, width, height, decoded, shrunk) => {
      const frame = await decodeImage(await picture(width, height))
      expect(frame).toMatchObject({ width: decoded, height: height / (shrunk ?? 1) })
      expect([frame.shrunk, frame.isCopy]).toEqual([shrunk, shrunk && false])
      expect(corners(frame)).toEqual(['100', '010', '001', '111'])
    },
  )

  test.each(some([7, 3, 1, 2, 4, 5, 6, 8], 2))(
    'is upright like a smaller one: orientation %i',
    async (orientation) => {
      const small = await decodeImage(await picture(402, 300, orientation))
      const large = await decodeImage(await picture(4602, 3500, orientation))
      expect(corners(large)).toEqual(corners(small))
      expect(large.width > large.height).toBe(small.width > small.height)
      expect(large.shrunk).toBe(2)
    },
  )

  test('that is incomplete is refused', async () => {
    const whole = await picture(4602, 3500)
    await expect(decodeImage(whole.subarray(0, whole.length / 2))).rejects.toMatchObject({
      code: 'unreadable_image',
    })
  })

  const copies = [
    ['whole if the kernel holds it', 1920, 1080, undefined],
    ['at a half', 2560, 900, 2],
    ['at a quarter', 3901, 600, 4],
    ['at a quarter, upright', 600, 3901, 4],
    ['at an eighth', 7700, 301, 8],
  ] as const
  test.each(some(copies, 2))('is decoded as a copy %s', async (_, width, height, times) => {
    const frame = await decodeImage(await picture(width, height), { asCopy: true })
    expect([frame.shrunk, frame.isCopy]).toEqual([times, times && true])
    expect(frame.whole).toEqual(times && { width, height })
    expect(frame.width).toBe(Math.ceil(width / (times ?? 1)))
    expect(corners(frame)).toEqual(['100', '010', '001', '111'])
  })

  test('that is a PNG has no copy: its decoder reads every pixel anyway', async () => {
    const png = await small
      .clone()
      .resize(2000, 1500, { fit: 'fill' })
      .png({ compressionLevel: 1 })
      .toBuffer()
    expect(await decodeImage(png, { asCopy: true })).toMatchObject({ width: 2000, height: 1500 })
  })

  test.each(some([6, 1, 2, 3, 4, 5, 7, 8], 2))(
    'is upright as a copy too, at its own size: orientation %i',
    async (orientation) => {
      const whole = await decodeImage(await picture(2303, 1502, orientation))
      const copy = await decodeImage(await picture(2303, 1502, orientation), { asCopy: true })
      expect(corners(copy)).toEqual(corners(whole))
      expect(copy.whole).toEqual({ width: whole.width, height: whole.height })
    },
  )
})

import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Frame, type RgbaFrame, rgbaOf } from '#models/picture/frame.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { drawn } from '../../support/drawn/frames.ts'

/** Red on the left, blue on the right. */
const halves = drawn(40, 20, (x) => (x < 20 ? [255, 0, 0] : [0, 0, 255]))
const encoder = ({ width, height, rgba }: RgbaFrame): Sharp =>
  sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha()

const busy = drawn(200, 200, (x, y) => [(x * y) % 256, (x * 7) % 256, (y * 13) % 256])
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)

const at = (frame: Frame, x: number, y: number) => {
  const start = (y * frame.width + x) * 4
  return Array.from(rgbaOf(frame).rgba.slice(start, start + 4))
}

describe('decodeImage', () => {
  test('returns the exact pixels of a PNG', async () => {
    const frame = await decodeImage(await encoder(halves).png().toBuffer())
    expect(frame).toMatchObject({ width: 40, height: 20 })
    expect(at(frame, 3, 3)).toEqual([255, 0, 0, 255])
    expect(at(frame, 36, 3)).toEqual([0, 0, 255, 255])
  })

  test('returns nearly those of a JPEG', async () => {
    const [red, green, blue] = at(
      await decodeImage(await encoder(halves).jpeg({ quality: 95 }).toBuffer()),
      3,
      3,
    )
    expect(red).toBeGreaterThan(240)
    expect(Math.max(green!, blue!)).toBeLessThan(15)
  })

  test('turns a picture upright according to its EXIF', async () => {
    const turned = await encoder(halves).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer()
    const frame = await decodeImage(turned)
    expect(frame).toMatchObject({ width: 20, height: 40 })
    expect(at(frame, 10, 3)[0]).toBeGreaterThan(240)
    expect(at(frame, 10, 36)[2]).toBeGreaterThan(240)
  })

  test('expands a grey picture to colours', async () => {
    const frame = await decodeImage(
      await encoder(drawn(8, 8, () => [90, 90, 90]))
        .greyscale()
        .png()
        .toBuffer(),
    )
    expect(at(frame, 4, 4)).toEqual([90, 90, 90, 255])
  })

  test.each([
    ['of few pixels', 40, 20],
    ['of more', 2000, 1200],
    ['that is halved', 4500, 3600],
  ])('shows a transparent picture %s on black', async (_, width, height) => {
    const alphas = { left: 0, right: 128 }
    const seenThrough = Uint8Array.from(halves.rgba, (value, i) => {
      if (i % 4 !== 3) return value
      return i % (40 * 4) < 20 * 4 ? alphas.left : alphas.right
    })
    const png = await sharp(seenThrough, { raw: { width: 40, height: 20, channels: 4 } })
      .resize(width, height, { fit: 'fill', kernel: 'nearest' })
      .png({ compressionLevel: 1 })
      .toBuffer()
    const frame = await decodeImage(png)
    const y = Math.floor(frame.height / 2)
    expect(at(frame, Math.floor(frame.width / 5), y)).toEqual([0, 0, 0, 255])
    const [red, green, blue, alpha] = at(frame, Math.floor((frame.width * 4) / 5), y)
    expect([red, green, alpha]).toEqual([0, 0, 255])
    expect(Math.abs(blue! - 128)).toBeLessThanOrEqual(1)
  })

  const refused: readonly (readonly [what: string, bytes: () => Promise<Uint8Array>])[] = [
    ['nothing', async () => new Uint8Array()],
    ['words', async () => Buffer.from('not a picture')],
    ['half a JPEG', async () => half(await encoder(busy).jpeg().toBuffer())],
    ['half a PNG', async () => half(await encoder(busy).png().toBuffer())],
    ['a WebP', async () => encoder(halves).webp().toBuffer()],
    ['a GIF', async () => encoder(halves).gif().toBuffer()],
    ['a TIFF', async () => encoder(halves).tiff().toBuffer()],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    [
      'more than 40 megapixels',
      async () =>
        encoder(await decodeLarge())
          .png()
          .toBuffer(),
    ],
  ]

  test.each(refused)('refuses %s', async (_, bytes) => {
    await expect(decodeImage(await bytes())).rejects.toMatchObject({ code: 'unreadable_image' })
  })
})

async function decodeLarge(): Promise<RgbaFrame> {
  return { width: 8000, height: 5001, rgba: new Uint8Array(8000 * 5001 * 4) }
}

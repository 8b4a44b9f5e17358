import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Frame, rgbaOf } from '#models/picture/frame.ts'
import { readablePicture } from '#shared/picture/readable-picture.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { drawn } from '../../support/drawn/frames.ts'

const { width, height, rgba } = drawn(96, 64, (x, y) => [(x * 5) % 256, (y * 4) % 256, x < 48 ? 220 : 30])
const picture = (): Sharp => sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha()

async function pixelsOf(bytes: Uint8Array): Promise<Buffer> {
  return Buffer.from(rgbaOf(await decodeImage(bytes)).rgba)
}

/** The mean difference between two pictures, on a scale of 255. */
function difference(one: Uint8Array, other: Uint8Array): number {
  expect(one.length).toBe(other.length)
  return one.reduce((sum, value, i) => sum + Math.abs(value - other[i]!), 0) / one.length
}

describe('a JPEG without its end marker', () => {
  const kinds = {
    baseline: () => picture().jpeg({ quality: 90 }).toBuffer(),
    progressive: () => picture().jpeg({ quality: 90, progressive: true }).toBuffer(),
    grey: () => picture().greyscale().jpeg().toBuffer(),
    'with restart markers off and fine colours': () =>
      picture().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
  }

  test.each(Object.entries(kinds))('has every pixel of the whole one: %s', async (_kind, encode) => {
    const whole = await encode()
    expect(whole.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
    expect(await pixelsOf(whole.subarray(0, -2))).toEqual(await pixelsOf(whole))
    expect(await pixelsOf(whole.subarray(0, -1))).toEqual(await pixelsOf(whole))
  })

  test.each([3, 8, 40, 400])('is refused as truncated if %s bytes are missing', async (missing) => {
    const whole = await kinds.baseline()
    await expect(decodeImage(whole.subarray(0, -missing))).rejects.toThrow('truncated')
    await expect(decodeImage(whole.subarray(0, whole.length / 2))).rejects.toThrow('truncated')
  })
})

describe('a CMYK JPEG', () => {
  /** Leaves out the segment in which Adobe declares that inks are stored inverted. */
  function withoutAdobe(bytes: Buffer): Buffer {
    const at = bytes.indexOf('Adobe') - 4
    expect(at).toBeGreaterThan(0)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 2 + bytes.readUInt16BE(at + 2))])
  }

  /** The colours that browsers show for inks without a profile: each ink removes its colour, and black removes all of them. */
  async function shownInks(bytes: Buffer): Promise<Buffer> {
    const inks = await sharp(bytes).pipelineColourspace('cmyk').toColourspace('cmyk').raw().toBuffer()
    const shown = inks.map((ink, i) =>
      i % 4 === 3 ? 255 : Math.round(((255 - ink) * (255 - inks[i | 3]!)) / 255),
    )
    return Buffer.from(shown)
  }

  test.each([
    ['baseline', () => picture().toColourspace('cmyk').jpeg({ quality: 95 })],
    ['progressive', () => picture().toColourspace('cmyk').jpeg({ quality: 95, progressive: true })],
    ['of fine colours', () => picture().toColourspace('cmyk').jpeg({ chromaSubsampling: '4:4:4' })],
  ] as const)('without the Adobe marker is read as browsers read it: %s', async (_kind, encode) => {
    const marked = await encode().toBuffer()
    const bare = withoutAdobe(marked)
    const pixels = await pixelsOf(bare)
    expect(pixels).toEqual(await shownInks(bare))
    expect(pixels).toEqual(await pixelsOf(marked))
    expect(difference(pixels, await pixelsOf(await picture().png().toBuffer()))).toBeLessThan(60)
  })
})

describe('an orientation', () => {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  const crcOf = (bytes: Uint8Array) =>
    (bytes.reduce((crc, byte) => crcTable[(crc ^ byte) & 255]! ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0

  function chunk(type: string, data: Uint8Array): Buffer {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const bytes = Buffer.alloc(named.length + 8)
    bytes.writeUInt32BE(data.length)
    named.copy(bytes, 4)
    bytes.writeUInt32BE(crcOf(named), named.length + 4)
    return bytes
  }

  /** A single entry in a TIFF directory: tag 274, a short. */
  function exif(orientation: number): Buffer {
    return Buffer.from([
      0x4d,
      0x4d,
      0,
      42,
      0,
      0,
      0,
      8,
      0,
      1,
      1,
      0x12,
      0,
      3,
      0,
      0,
      0,
      1,
      0,
      orientation,
      0,
      0,
      0,
      0,
      0,
      0,
    ])
  }

  /** A PNG with additional chunks right before or right after its pixels. */
  async function pngWith(chunks: readonly Buffer[], where: 'before' | 'behind'): Promise<Buffer> {
    const png = await picture().png().toBuffer()
    const at = (where === 'before' ? png.indexOf('IDAT') : png.indexOf('IEND')) - 4
    return Buffer.concat([png.subarray(0, at), ...chunks, png.subarray(at)])
  }

  const xmp = Buffer.from(
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/></rdf:RDF></x:xmpmeta>',
  )

  test.each([3, 6, 8])('%i after the pixels of a PNG counts like before them', async (orientation) => {
    const eXIf = [chunk('eXIf', exif(orientation))]
    const behind = await pixelsOf(await pngWith(eXIf, 'behind'))
    expect(behind).toEqual(await pixelsOf(await pngWith(eXIf, 'before')))
    expect(behind).not.toEqual(await pixelsOf(await picture().png().toBuffer()))
  })

  test('is read from one place: of two chunks the first counts', async () => {
    const both = await pngWith([chunk('eXIf', exif(3))], 'before')
    const end = both.indexOf('IEND') - 4
    const twice = Buffer.concat([both.subarray(0, end), chunk('eXIf', exif(6)), both.subarray(end)])
    expect(readablePicture(twice).bytes).toBe(twice)
    expect(await pixelsOf(twice)).toEqual(await pixelsOf(both))
  })

  test('in XMP or in a text does not count, in PNG and in JPEG', async () => {
    const plain = await pixelsOf(await picture().png().toBuffer())
    const iTXt = chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), xmp]))
    const raw = `\nexif\n      ${exif(6).length + 6}\n457869660000${exif(6).toString('hex')}\n`
    const tEXt = chunk('tEXt', Buffer.from(`Raw profile type exif\0${raw}`))
    for (const where of ['before', 'behind'] as const)
      for (const one of [iTXt, tEXt]) expect(await pixelsOf(await pngWith([one], where))).toEqual(plain)
    const jpeg = await picture().jpeg().toBuffer()
    const name = Buffer.from('http://ns.adobe.com/xap/1.0/\0')
    const length = Buffer.from([0xff, 0xe1, 0, 0])
    length.writeUInt16BE(2 + name.length + xmp.length, 2)
    const named = Buffer.concat([jpeg.subarray(0, 2), length, name, xmp, jpeg.subarray(2)])
    expect(await pixelsOf(named)).toEqual(await pixelsOf(jpeg))
  })
})

test('a picture that needs no conversion is decoded directly, without a copy', async () => {
  for (const bytes of [await picture().jpeg().toBuffer(), await picture().png().toBuffer()])
    expect(readablePicture(bytes)).toEqual({ bytes, failOn: 'error' })
  const frame: Frame = await decodeImage(await picture().png().toBuffer())
  expect(frame).toMatchObject({ width, height })
})

import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { walkPicture } from '#shared/picture/picture-header.ts'

/** A PNG chunk. Header walks ignore its checksum. */
function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.alloc(4)])
}

function pngOf(width: number, height: number, ...chunks: Buffer[]): Buffer {
  return pngWith([8, 2, 0, 0, 0], width, height, ...chunks)
}

/** Bit depth, colour type, compression, filter, interlacing. */
function pngWith(kind: readonly number[], width: number, height: number, ...chunks: Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...kind])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), ...chunks])
}
const body = [chunk('IDAT', new Uint8Array(4)), chunk('IEND')]

interface JpegParts {
  width?: number
  height?: number
  frames?: number
  scans?: number
  marker?: number
  precision?: number
  /** For each component, the horizontal value in the upper four bits and the vertical one in the lower four. */
  factors?: readonly number[]
  /** The number of components in a scan. */
  scanned?: number
  segments?: number
  tail?: Uint8Array
}

function jpegOf(parts: JpegParts): Buffer {
  const { width = 8, height = 8, frames = 1, scans = 1, marker = 0xc0, precision = 8, segments = 0 } = parts
  const { factors = [17], scanned = factors.length } = parts
  const frame = [
    0xff,
    marker,
    0,
    8 + 3 * factors.length,
    precision,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    factors.length,
    ...factors.flatMap((factor, i) => [i + 1, factor, 0]),
  ]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...Array.from({ length: segments }, () => Buffer.from([0xff, 0xfe, 0, 3, 65])),
    ...Array.from({ length: frames }, () => Buffer.from(frame)),
    ...Array.from({ length: scans }, () =>
      Buffer.from([0xff, 0xda, 0, 8, scanned, 1, 0, 0, 63, 0, 1, 0xff, 0, 0xff, 0xd0, 2]),
    ),
    Buffer.from([0xff, 0xd9]),
    parts.tail ?? Buffer.alloc(0),
  ])
}

describe('the header of a picture', () => {
  const mebibytes = (size: number) => jpegOf({ tail: new Uint8Array(size - jpegOf({}).length) })
  const whole = 'Must be a complete'
  const cutScan = Buffer.from([0xff, 0xda, 0, 2])
  test.each([
    ['10 MiB', mebibytes(10 * 1024 * 1024), undefined],
    ['10 MiB and a byte', mebibytes(10 * 1024 * 1024 + 1), 'Must be at most 10 MiB.'],
    ['12 MiB', mebibytes(12 * 1024 * 1024), 'Must be at most 10 MiB.'],
    ['40 megapixels', jpegOf({ width: 8000, height: 5000 }), undefined],
    ['more', jpegOf({ width: 8000, height: 5001 }), 'Must have at most 40 megapixels.'],
    ['65535 square', jpegOf({ width: 65535, height: 65535 }), 'Must have at most 40 megapixels.'],
    ['no height', jpegOf({ height: 0 }), 'Must have a width and a height.'],
    ['only a start', Buffer.from([0xff, 0xd8]), whole],
    ['a cut frame', jpegOf({}).subarray(0, 10), whole],
    ['no end marker', jpegOf({}).subarray(0, -2), undefined],
    ['no frame', jpegOf({ frames: 0 }), whole],
    ['no scan', jpegOf({ scans: 0 }), whole],
    ['a scan cut short', Buffer.concat([jpegOf({ scans: 0 }).subarray(0, -2), cutScan]), whole],
    ['two frames', jpegOf({ frames: 2 }), 'Must be a JPEG with one frame.'],
    ['100 scans', jpegOf({ scans: 100 }), undefined],
    ['101 scans', jpegOf({ scans: 101 }), 'Must have at most 100 scans.'],
    ['10,000 scans', jpegOf({ scans: 10_000 }), 'Must have at most 100 scans.'],
    ['997 comments', jpegOf({ segments: 997 }), undefined],
    ['998 comments', jpegOf({ segments: 998 }), 'Must have at most 1000 segments.'],
    ['progressive', jpegOf({ marker: 0xc2 }), undefined],
    ['lossless', jpegOf({ marker: 0xc3 }), 'Must be a baseline or progressive JPEG with Huffman codes.'],
    ['arithmetic', jpegOf({ marker: 0xc9 }), 'Must be a baseline or progressive JPEG with Huffman codes.'],
    ['12 bits', jpegOf({ marker: 0xc1, precision: 12 }), 'Must be a JPEG with 8 bits per sample.'],
    ['1 MB behind the end', jpegOf({ tail: new Uint8Array(1e6) }), undefined],
    ['of a PNG', pngOf(8, 8, ...body), undefined],
    ['of a huge PNG', pngOf(2 ** 31 - 1, 2 ** 31 - 1, ...body), 'Must have at most 40 megapixels.'],
    ['of a PNG without pixels', pngOf(8, 8, chunk('IEND')), whole],
    ['of a cut PNG', pngOf(8, 8, ...body).subarray(0, -20), whole],
    ['of a PNG without width', pngOf(0, 8, ...body), 'Must have a width and a height.'],
    [
      'of an animation',
      pngOf(8, 8, chunk('acTL', new Uint8Array(8)), ...body),
      'Must be a still PNG, without an animation.',
    ],
    ['of a PNG with two headers', pngOf(8, 8, chunk('IHDR', new Uint8Array(13)), ...body), whole],
    [
      'of a PNG of 999 more chunks',
      pngOf(8, 8, ...Array.from({ length: 999 }, () => chunk('tEXt')), ...body),
      undefined,
    ],
    [
      'of a PNG of 1000 more chunks',
      pngOf(8, 8, ...Array.from({ length: 1000 }, () => chunk('tEXt')), ...body),
      'Must have at most 1000 chunks.',
    ],
    [
      'of a PNG in 10,000 pieces',
      pngOf(8, 8, ...Array.from({ length: 9999 }, () => chunk('IDAT')), ...body),
      undefined,
    ],
    [
      'of a PNG in more pieces',
      pngOf(8, 8, ...Array.from({ length: 10_000 }, () => chunk('IDAT')), ...body),
      'Must have at most 1000 chunks.',
    ],
  ])('is walked: %s', (_name, bytes, message) => {
    const walked = walkPicture(bytes)
    if (message === undefined) expect(walked).not.toHaveProperty('fault')
    else expect(walked).toHaveProperty('fault', expect.stringContaining(message))
  })
})

describe('the memory that a decoder needs at once', () => {
  const [fine, halfAcross, halfBoth] = [
    [17, 17, 17],
    [33, 17, 17],
    [34, 17, 17],
  ]
  const ofJpeg = (width: number, height: number, factors: number[], rest: JpegParts = {}) =>
    jpegOf({ width, height, factors, marker: 0xc2, ...rest })
  const baseline = { marker: 0xc0 }
  const ofPng = (bits: number, kind: number, width: number, interlacing = 1) =>
    pngWith([bits, kind, 0, 0, interlacing], width, 5000, ...body)
  const [grey, colours, palette, greyAndAlpha, coloursAndAlpha] = [0, 2, 3, 4, 6]
  const refused = true
  const seenThrough = chunk('tRNS')
  test.each([
    ['progressive, 40 megapixels, colours at a quarter', ofJpeg(8000, 5000, halfBoth), !refused],
    ['progressive, 36 megapixels, colours at half', ofJpeg(7200, 5000, halfAcross), !refused],
    ['progressive, 36.005 megapixels, colours at half', ofJpeg(7201, 5000, halfAcross), refused],
    ['progressive, 24 megapixels, colours whole', ofJpeg(4800, 5000, fine), !refused],
    ['progressive, 24.005 megapixels, colours whole', ofJpeg(4801, 5000, fine), refused],
    ['progressive, 40 megapixels, grey', ofJpeg(8000, 5000, [17]), !refused],
    ['progressive, 18.005 megapixels of four colours', ofJpeg(3601, 5000, [17, 17, 17, 17]), refused],
    ['baseline, 40 megapixels, colours whole', ofJpeg(8000, 5000, fine, baseline), !refused],
    ['baseline in three scans', ofJpeg(8000, 5000, fine, { ...baseline, scans: 3, scanned: 1 }), refused],
    ['baseline, a scan of one colour', ofJpeg(8000, 5000, fine, { ...baseline, scanned: 1 }), refused],
    ['a PNG, 40 megapixels, 16 bits and alpha', ofPng(16, coloursAndAlpha, 8000, 0), !refused],
    ['interlaced, 40 megapixels, 8 bits', ofPng(8, colours, 8000), !refused],
    ['interlaced, 40 megapixels, a palette', ofPng(8, palette, 8000), !refused],
    [
      'interlaced, 40 megapixels, a palette with alpha',
      pngWith([8, palette, 0, 0, 1], 8000, 5000, seenThrough, ...body),
      refused,
    ],
    ['interlaced, 36 megapixels, 8 bits and alpha', ofPng(8, coloursAndAlpha, 7200), !refused],
    ['interlaced, 36.005 megapixels, 8 bits and alpha', ofPng(8, coloursAndAlpha, 7201), refused],
    ['interlaced, 40 megapixels, 16 bits, grey', ofPng(16, grey, 8000), !refused],
    ['interlaced, 40 megapixels, 16 bits, grey and alpha', ofPng(16, greyAndAlpha, 8000), refused],
    ['interlaced, 24 megapixels, 16 bits', ofPng(16, colours, 4800), !refused],
    ['interlaced, 24.005 megapixels, 16 bits', ofPng(16, colours, 4801), refused],
  ])('is at most 144 MB: %s', (_name, bytes, isRefused) => {
    const walked = walkPicture(bytes)
    if (!isRefused) expect(walked).not.toHaveProperty('fault')
    else expect(walked).toHaveProperty('fault', expect.stringContaining('more than 144 MB to decode'))
  })

  test('is estimated for the usual encoders', async () => {
    const pixels = 64 * 48
    const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#888' } })
    const held = async (encoder: Sharp) => walkPicture(await encoder.toBuffer())
    const progressive = { progressive: true }
    expect([
      await held(picture.clone().jpeg()),
      await held(picture.clone().jpeg(progressive)),
      await held(picture.clone().jpeg({ ...progressive, chromaSubsampling: '4:4:4' })),
      await held(picture.clone().png()),
      await held(picture.clone().png(progressive)),
      await held(picture.clone().toColourspace('rgb16').png(progressive)),
    ]).toMatchObject([0, 3, 6, 0, 3, 6].map((bytes) => ({ heldBytes: bytes * pixels })))
  })
})

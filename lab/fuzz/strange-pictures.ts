import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import { tinyJpeg } from '../../shared/contract/elements.ts'
import type { Random } from './random.ts'

const jpeg = Buffer.from(tinyJpeg, 'base64')
const startOfFrame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
const startOfScan = jpeg.indexOf(Buffer.from([0xff, 0xda]))

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

function chunk(type: string, data: Uint8Array, checksum?: number): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const bytes = Buffer.alloc(typed.length + 8)
  bytes.writeUInt32BE(data.length)
  typed.copy(bytes, 4)
  bytes.writeUInt32BE(checksum ?? crc32(typed), typed.length + 4)
  return bytes
}

function imageHeader(width: number, height: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data[8] = 8
  return data
}

function png(width: number, height: number, ...between: Buffer[]): Buffer {
  const rows = deflateSync(Buffer.alloc((width + 1) * height))
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', imageHeader(width, height)),
    ...between,
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A picture with a header that claims a false size. */
function claiming(width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg)
  bytes.writeUInt16BE(height, startOfFrame + 5)
  bytes.writeUInt16BE(width, startOfFrame + 7)
  return bytes
}

const segment = (marker: number, data: Uint8Array, length = data.length + 2) =>
  Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), data])
const afterStart = (...segments: Uint8Array[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/** An EXIF directory that refers to itself as the next one. */
const exifLoop = Buffer.concat([
  Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0', 'latin1'),
  Buffer.alloc(12),
  Buffer.from([8, 0, 0, 0]),
])

const scan = jpeg.subarray(startOfScan, jpeg.length - 2)
const frame = jpeg.subarray(startOfFrame, startOfFrame + 13)

function bombs(): Record<string, Buffer> {
  const profile = deflateSync(Buffer.alloc(60_000_000))
  return {
    'flat PNG of 41 megapixels': png(6500, 6400),
    'PNG with a bomb as profile': png(
      8,
      8,
      chunk('iCCP', Buffer.concat([Buffer.from('a\0\0', 'latin1'), profile])),
    ),
    'PNG with a bomb as text': png(
      8,
      8,
      chunk('zTXt', Buffer.concat([Buffer.from('a\0\0', 'latin1'), profile])),
    ),
  }
}

function others(): Record<string, Buffer> {
  const start = jpeg.subarray(0, startOfScan)
  return {
    nothing: Buffer.alloc(0),
    'start of a JPEG': Buffer.from([0xff, 0xd8]),
    'JPEG cut in its frame header': jpeg.subarray(0, startOfFrame + 6),
    'JPEG cut in its scan': jpeg.subarray(0, startOfScan + 14),
    'JPEG without end': jpeg.subarray(0, -2),
    'JPEG of 65535 pixels square': claiming(65_535, 65_535),
    'JPEG of height 0': claiming(8, 0),
    'JPEG of width 0': claiming(0, 8),
    'JPEG with two frames': afterStart(frame, frame),
    'JPEG of 10,000 scans': Buffer.concat([start, ...Array<Buffer>(10_000).fill(scan), jpeg.subarray(-2)]),
    'JPEG with arithmetic coding': Buffer.from(jpeg).fill(0xc9, startOfFrame + 1, startOfFrame + 2),
    'JPEG with a looping EXIF': afterStart(segment(0xe1, exifLoop)),
    'JPEG with a torn profile': afterStart(segment(0xe2, Buffer.from('ICC_PROFILE\0\x02\x07torn', 'latin1'))),
    'JPEG with a segment beyond its end': afterStart(segment(0xe1, Buffer.from('short'), 60_000)),
    'JPEG with a segment of length 0': afterStart(segment(0xe1, Buffer.alloc(0), 0)),
    'JPEG followed by a megabyte': Buffer.concat([jpeg, Buffer.alloc(1_000_000, 7)]),
    'JPEG of markers only': Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(200_000, 0xff)]),
    'PNG of 2^31-1 pixels square': Buffer.concat([
      pngSignature,
      chunk('IHDR', imageHeader(2 ** 31 - 1, 2 ** 31 - 1)),
    ]),
    'PNG of width 0': Buffer.concat([pngSignature, chunk('IHDR', imageHeader(0, 8))]),
    'PNG with a wrong checksum': Buffer.concat([pngSignature, chunk('IHDR', imageHeader(8, 8), 1)]),
    'PNG with a chunk of 4 GB': Buffer.concat([pngSignature, Buffer.from('ffffffff49444154', 'hex')]),
    'PNG without data': Buffer.concat([
      pngSignature,
      chunk('IHDR', imageHeader(8, 8)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
    'PNG cut short': png(8, 8).subarray(0, 50),
    'PNG with 2,000 chunks': png(8, 8, ...Array<Buffer>(2000).fill(chunk('tEXt', Buffer.from('a\0b')))),
    'animated PNG': png(8, 8, chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))),
    SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
    'SVG behind a PNG signature': Buffer.concat([pngSignature, Buffer.from('<svg/>')]),
    GIF: Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'),
    WebP: Buffer.from('RIFF\x1a\0\0\0WEBPVP8 ', 'latin1'),
    TIFF: Buffer.from('II*\0\x08\0\0\0', 'latin1'),
    PDF: Buffer.from('%PDF-1.4'),
    text: Buffer.from('hello'),
    'a small PNG': png(8, 8),
    'a small JPEG': jpeg,
  }
}

/** Base64 pictures by their defect. Only built once, because some of them take a long time. */
export interface Pictures {
  /** A malformed picture, or one that is cheap to analyse. */
  strange(random: Random): string
  /** A file that is small to transfer but huge when decoded. */
  bomb(random: Random): string
  /** A small valid picture without a face. */
  readonly small: string
  /** A photograph of a person, which is the only picture that makes all networks run. */
  readonly person: string
}

export function createPictures(): Pictures {
  const made = Object.values(others()).map((bytes) => bytes.toString('base64'))
  const exploding = Object.values(bombs()).map((bytes) => bytes.toString('base64'))
  const person = readFileSync(
    new URL('../../tests/support/pictures/astronaut.png', import.meta.url),
  ).toString('base64')
  return {
    strange: (random) => {
      const base64 = random.pick(made)
      if (random.chance(0.9)) return base64
      const at = random.below(base64.length)
      const odd = random.pick(['!', '=', '\n', '-', '_', ' ', '\u0000', 'é'])
      return base64.slice(0, at) + odd + base64.slice(at)
    },
    bomb: (random) => random.pick(exploding),
    small: tinyJpeg,
    person,
  }
}

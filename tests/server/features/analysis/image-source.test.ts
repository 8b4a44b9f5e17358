import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createReadImage } from '#server/features/analysis/image-source.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { createByteBudget } from '#server/platform/running/byte-budget.ts'

const caller = (accountId = 'a') => ({ accountId, signal: new AbortController().signal })
const png = readFileSync(join(import.meta.dirname, '../../../support/pictures/astronaut.png'))
const dots = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const nothingOut = { get: () => Promise.reject(new Error('nothing goes out')) }

function read(bytes: string) {
  return createReadImage({ outbound: nothingOut })({ bytes }, caller())
}

function fetching(get: Outbound['get']) {
  return createReadImage({ outbound: { get } })({ url: 'https://pictures.example/a.png' }, caller())
}

/** A PNG chunk; its checksum is not looked at by a header walk. */
function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.alloc(4)])
}

function pngOf(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
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
  segments?: number
  tail?: Uint8Array
}

function jpegOf(parts: JpegParts): Buffer {
  const { width = 8, height = 8, frames = 1, scans = 1, marker = 0xc0, precision = 8, segments = 0 } = parts
  const frame = [
    0xff,
    marker,
    0,
    11,
    precision,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    1,
    17,
    0,
  ]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...Array.from({ length: segments }, () => Buffer.from([0xff, 0xfe, 0, 3, 65])),
    ...Array.from({ length: frames }, () => Buffer.from(frame)),
    ...Array.from({ length: scans }, () =>
      Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xff, 0, 0xff, 0xd0, 2]),
    ),
    Buffer.from([0xff, 0xd9]),
    parts.tail ?? Buffer.alloc(0),
  ])
}

describe('a picture by its bytes', () => {
  test('is what the Base64 stands for', async () => {
    expect(Buffer.from(await read(base64(png))).equals(png)).toBe(true)
    const jpeg = await dots().jpeg({ progressive: true }).toBuffer()
    expect(Buffer.from(await read(base64(jpeg))).equals(jpeg)).toBe(true)
  })

  const text = base64(png)
  test.each([
    ['nothing', '', 'Must not be empty.'],
    ['a data: address', `data:image/png;base64,${text}`, 'Must be the Base64 alone, without a data: prefix.'],
    ['a line break', `${text.slice(0, 76)}\n${text.slice(76)}`, 'Must be Base64 without white space.'],
    ['the URL-safe alphabet', '-_8=', 'Must be Base64 with + and /, not the URL-safe alphabet.'],
    ['no padding', 'iVBORw', 'Must be Base64 of whole groups of four, padded with =.'],
    ['bits after the end', 'iVBORx==', 'Must be Base64 that ends as an encoder ends it.'],
    ['words', 'not a picture!', 'Must be Base64 without white space.'],
    ['signs', '####', 'Must be Base64.'],
    ['another kind', base64(Buffer.from('GIF89a..')), 'Must be a JPEG or PNG picture.'],
    ['an SVG', base64(Buffer.from('<svg/>')), 'Must be a JPEG or PNG picture.'],
  ])('is refused: %s', async (_name, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'unreadable_image',
      errors: [{ pointer: '#/image/bytes', message }],
    })
  })
})

describe('the header of a picture', () => {
  const mebibytes = (size: number) => jpegOf({ tail: new Uint8Array(size - jpegOf({}).length) })
  const whole = 'Must be a complete'
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
    ['no end', jpegOf({}).subarray(0, -2), whole],
    ['no frame', jpegOf({ frames: 0 }), whole],
    ['no scan', jpegOf({ scans: 0 }), whole],
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
  ])('is walked: %s', async (_name, bytes, message) => {
    const reading = read(base64(bytes))
    if (message === undefined) expect(Buffer.from(await reading).equals(bytes)).toBe(true)
    else
      await expect(reading).rejects.toMatchObject({ errors: [{ message: expect.stringContaining(message) }] })
  })
})

describe('a picture by its address', () => {
  test('is what the address answers', async () => {
    expect(Buffer.from(await fetching(async () => png)).equals(png)).toBe(true)
  })

  test('is walked like any other', async () => {
    await expect(fetching(async () => Buffer.from('<html>'))).rejects.toMatchObject({
      errors: [{ pointer: '#/image/url', message: 'Must be a JPEG or PNG picture.' }],
    })
  })

  test('says nothing about why it could not be fetched', async () => {
    const why = ['This address is not allowed', 'ECONNREFUSED', 'ENOTFOUND', 'timeout']
    for (const cause of why) {
      await expect(fetching(() => Promise.reject(new Error(cause)))).rejects.toMatchObject({
        code: 'unreadable_image',
        message: 'The picture cannot be used. No picture could be fetched from this address.',
        errors: [{ pointer: '#/image/url', message: 'No picture could be fetched from this address.' }],
      })
    }
  })

  test('is given up when the client hangs up', async () => {
    const gone = new AbortController()
    gone.abort(new Error('gone'))
    const leaving = { accountId: 'a', signal: gone.signal }
    const reading = createReadImage({ outbound: nothingOut })({ url: 'https://a.example/' }, leaving)
    await expect(reading).rejects.toThrow('gone')
  })
})

describe('pictures that are fetched at once', () => {
  const busy = { code: 'overloaded', status: 503, retryAfterInSeconds: 2 }
  const image = { url: 'https://pictures.example/a.png' }

  /** Addresses that answer when the test says so, or when the client hangs up. */
  function createSlowPictures() {
    const ends: (() => void)[] = []
    const get: Outbound['get'] = ({ signal }) =>
      new Promise((done, fail) => {
        ends.push(() => done(png))
        signal.addEventListener('abort', () => fail(signal.reason))
      })
    return { ends, readImage: createReadImage({ outbound: { get } }) }
  }

  test('are at most half of the places for one account, and another still finds one', async () => {
    const { ends, readImage } = createSlowPictures()
    const flood = Array.from({ length: 16 }, () => readImage(image, caller('flood')))
    await expect(readImage(image, caller('flood'))).rejects.toMatchObject(busy)
    const other = readImage(image, caller('other'))
    for (const end of ends) end()
    await Promise.all([...flood, other])
    const later = readImage(image, caller('flood'))
    ends.at(-1)!()
    expect(Buffer.from(await later).equals(png)).toBe(true)
  })

  test('are at most as many as there are places', async () => {
    const { readImage } = createSlowPictures()
    for (const account of ['a', 'b']) {
      for (let i = 0; i < 16; i++) void readImage(image, caller(account))
    }
    await expect(readImage(image, caller('c'))).rejects.toMatchObject(busy)
    expect(await readImage({ bytes: base64(png) }, caller('c'))).toHaveLength(png.length)
    await expect(readImage({ url: 'ftp://a.example' }, caller('c'))).rejects.toMatchObject({ status: 400 })
  })

  test('leave their place when the client hangs up', async () => {
    const { ends, readImage } = createSlowPictures()
    const gone = new AbortController()
    const leaving = { accountId: 'a', signal: gone.signal }
    const left = Array.from({ length: 16 }, () => readImage(image, leaving).catch(() => 'left'))
    gone.abort(new Error('gone'))
    expect(await Promise.all(left)).toEqual(Array(16).fill('left'))
    const next = readImage(image, caller('a'))
    ends.at(-1)!()
    expect(await next).toHaveLength(png.length)
  })
})

describe('a picture that is fetched', () => {
  test('counts among the bytes of its request as it comes, and ends with a 503 where there is no room', async () => {
    const lease = createByteBudget(1000).open([])
    const get: Outbound['get'] = async ({ onProgress }) => {
      onProgress?.(600)
      onProgress?.(1001)
      return png
    }
    const reading = createReadImage({ outbound: { get } })(
      { url: 'https://a.example/' },
      { ...caller(), lease },
    )
    await expect(reading).rejects.toMatchObject({ code: 'overloaded', status: 503 })
    expect(() => lease.take(401)).toThrow()
    lease.take(400)
  })
})

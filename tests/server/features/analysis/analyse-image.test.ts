import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usesOf } from '#server/features/analysis/analyse-image.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { fakeJpeg } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { openRealAnalysis } from '../../../support/real-analysis.ts'
import { astronaut, bytesOf } from '../../../support/upload.ts'

let host: Host
let real: Host
beforeAll(async () => {
  host = await startHost()
  real = await startHost({ ports: { analysis: await openRealAnalysis() } })
})
afterAll(() => Promise.all([host.close(), real.close()]))

/** The status and errors for a request with this body. */
async function send(body: unknown, to = host) {
  const answer = await to.fetch(detectFaces.path, {
    method: 'POST',
    headers: { authorization: `ApiKey ${to.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { errors = [], faces = [] } = (await answer.json()) as {
    errors?: { pointer: string; message: string }[]
    faces?: { boundingBox: { x: number; y: number } }[]
  }
  return { status: answer.status, errors, faces }
}

describe('the image of a body', () => {
  const { bytes } = bytesOf(fakeJpeg({ person: 'anna' }))
  const url = 'https://pictures.example/a.png'

  test.each([
    ['bytes', { bytes }],
    ['bytes, and null for an address', { bytes, url: null }],
    ['bytes, and members that nobody knows', { bytes, name: 'a' }],
  ])('may have %s', async (_name, image) => {
    expect((await send({ image })).status).toBe(200)
  })

  test.each([
    ['nothing', undefined, '#/image', 'Is required.'],
    ['null', null, '#/image', 'Must be an object.'],
    ['a string', bytes, '#/image', 'Must be an object.'],
    ['neither', {}, '#/image', 'Must have url or bytes.'],
    ['null twice', { bytes: null, url: null }, '#/image', 'Must have url or bytes.'],
    ['both', { bytes, url }, '#/image', 'Must have either url or bytes, not both.'],
    ['a number for bytes', { bytes: 1 }, '#/image/bytes', undefined],
    ['a number for an address', { url: 1 }, '#/image/url', undefined],
    ['empty bytes', { bytes: '' }, '#/image/bytes', 'Must not be empty.'],
    ['an empty address', { url: '' }, '#/image/url', 'Must be an http or https address.'],
    ['a relative address', { url: '/a.png' }, '#/image/url', 'Must be an http or https address.'],
    ['a file', { url: 'file:///etc/passwd' }, '#/image/url', 'Must be an http or https address.'],
    [
      'an address with a password',
      { url: 'https://a:b@pictures.example/' },
      '#/image/url',
      'Must not contain user information.',
    ],
    [
      'an address that is too long',
      { url: `${url}?${'a'.repeat(2048)}` },
      '#/image/url',
      'Must have at most 2048 characters.',
    ],
    ['words for bytes', { bytes: 'AAAA' }, '#/image/bytes', 'Must be a JPEG or PNG picture.'],
  ])('that is %s is a 400 with its position', async (_name, image, pointer, message) => {
    const { status, errors } = await send({ image })
    expect(status).toBe(400)
    expect(errors.map((fault) => fault.pointer)).toEqual([pointer])
    if (message !== undefined) expect(errors[0]!.message).toBe(message)
  })
})

const photo = () => sharp(astronaut)

describe('a picture', () => {
  test.each([
    ['a JPEG', () => photo().jpeg()],
    ['a progressive JPEG', () => photo().jpeg({ progressive: true })],
    ['a CMYK JPEG', () => photo().toColourspace('cmyk').jpeg()],
    ['a grey JPEG', () => photo().greyscale().jpeg()],
    ['a JPEG with a colour profile', () => photo().withIccProfile('p3').jpeg()],
    ['a PNG of 16 bits', () => photo().toColourspace('rgb16').png()],
    ['a PNG with a palette', () => photo().png({ palette: true })],
    ['a PNG with an alpha channel', () => photo().ensureAlpha(0.5).png()],
    ['an interlaced PNG', () => photo().png({ progressive: true })],
  ] as [string, () => Sharp][])('may be %s', async (_name, encoder) => {
    const { status, faces } = await send({ image: bytesOf(await encoder().toBuffer()) }, real)
    expect(status).toBe(200)
    expect(faces).toHaveLength(1)
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('with EXIF orientation %d is turned upright', async (orientation) => {
    const jpeg = await (await asStored(orientation)).withMetadata({ orientation }).jpeg().toBuffer()
    const { faces } = await send({ image: bytesOf(jpeg) }, real)
    expect(Math.abs(faces[0]!.boundingBox.x - 165)).toBeLessThan(25)
  })
})

/** The astronaut, stored so that this orientation shows her upright: rotated clockwise, then mirrored. */
async function asStored(orientation: number): Promise<Sharp> {
  const degrees = [0, 0, 180, 180, 90, 270, 270, 90][orientation - 1]!
  const turned = sharp(await photo().rotate(degrees).png().toBuffer())
  return [2, 4, 5, 7].includes(orientation) ? turned.flop() : turned
}

describe('a damaged or hostile picture', () => {
  const jpeg = () => photo().jpeg().toBuffer()
  const png = () => photo().png().toBuffer()
  const overwritten = (bytes: Buffer, at: number, length: number) => bytes.fill(0x55, at, at + length)

  /** A PNG that has an extra chunk after its header, with the right checksum unless another one is given. */
  function withChunk(picture: Buffer, type: string, data: Buffer, isRight = true): Buffer {
    const chunk = Buffer.alloc(data.length + 12)
    chunk.writeUInt32BE(data.length)
    chunk.write(type, 4, 'latin1')
    data.copy(chunk, 8)
    chunk.writeUInt32BE(isRight ? crc32(chunk.subarray(4, -4)) : 7, data.length + 8)
    return Buffer.concat([picture.subarray(0, 33), chunk, picture.subarray(33)])
  }

  const profileBomb = () =>
    Buffer.concat([Buffer.from('bomb\0\0', 'latin1'), deflateSync(Buffer.alloc(64 * 1024 * 1024))])

  /** A JPEG that has an extra application segment after its start. */
  const withSegment = (picture: Buffer, marker: number, data: Buffer) =>
    Buffer.concat([
      picture.subarray(0, 2),
      Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]),
      data,
      picture.subarray(2),
    ])

  /** An EXIF directory that names itself as the next one. */
  const exifLoop = Buffer.from('45786966000049492a0008000000010012010300010000000600000008000000', 'hex')

  test.each([
    ['cut in half', async () => (await jpeg()).subarray(0, 9000), 400],
    ['a PNG cut in half', async () => (await png()).subarray(0, 90_000), 400],
    ['a PNG with wrong pixels', async () => overwritten(await png(), 20_000, 200), 400],
    ['a PNG whose header has a wrong checksum', async () => overwritten(await png(), 29, 4), 400],
    ['a JPEG with a wrong scan', async () => overwritten(await jpeg(), 9000, 300), undefined],
    ['a JPEG without its tables', async () => Buffer.from(fakeJpeg({ person: null })), 400],
    ['a PNG with a bomb for a profile', async () => withChunk(await png(), 'iCCP', profileBomb()), undefined],
    [
      'a PNG with a torn profile',
      async () => withChunk(await png(), 'iCCP', Buffer.from('torn\0\0nonsense')),
      undefined,
    ],
    [
      'a JPEG with a torn profile',
      async () => withSegment(await jpeg(), 0xe2, Buffer.from('ICC_PROFILE\0\x01\x09torn')),
      undefined,
    ],
    ['a JPEG whose EXIF is a loop', async () => withSegment(await jpeg(), 0xe1, exifLoop), undefined],
    ['a JPEG followed by a megabyte', async () => Buffer.concat([await jpeg(), Buffer.alloc(1e6)]), 200],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400],
    ['a WebP', () => photo().webp().toBuffer(), 400],
    ['a GIF', () => photo().gif().toBuffer(), 400],
  ] as [string, () => Promise<Buffer>, 200 | 400 | undefined][])(
    '%s is a 400, or is read correctly',
    async (_name, make, expected) => {
      const { status, errors, faces } = await send({ image: bytesOf(await make()) }, real)
      if (expected !== undefined) expect(status).toBe(expected)
      if (status === 200) expect(faces).toHaveLength(1)
      else expect([status, errors.map(({ pointer }) => pointer)]).toEqual([400, ['#/image/bytes']])
      expect(real.errors).toEqual([])
    },
  )
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

test.each([
  ['one face', 640, 480, 1, 1],
  ['no face', 640, 480, 0, 1],
  ['five faces', 640, 480, 5, 1],
  ['six faces', 640, 480, 6, 2],
  ['a hundred faces', 640, 480, 100, 20],
  ['8 megapixels', 4000, 2000, 1, 1],
  ['one more', 4000, 2001, 1, 2],
  ['40 megapixels', 8000, 5000, 1, 5],
  ['both: the larger one counts', 8000, 5000, 26, 6],
])('a picture of %s counts as several analyses', (_name, width, height, count, uses) => {
  expect(usesOf({ width, height, faces: Array(count) })).toBe(uses)
})

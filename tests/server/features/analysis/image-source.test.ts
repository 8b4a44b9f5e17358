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

describe('a picture in the body', () => {
  test('is decoded from its Base64', async () => {
    expect(Buffer.from(await read(base64(png))).equals(png)).toBe(true)
    const jpeg = await dots().jpeg({ progressive: true }).toBuffer()
    expect(Buffer.from(await read(base64(jpeg))).equals(jpeg)).toBe(true)
  })

  const text = base64(png)
  test.each([
    ['nothing', '', 'Must not be empty.'],
    [
      'a data: address of another kind',
      `data:text/plain;base64,${text}`,
      'Must be Base64, alone or after data:image/…;base64,.',
    ],
    ['both alphabets', '-_8+', 'Must not mix + and / with - and _.'],
    ['half a padding', 'iVBORw=', 'Must be padded with = to whole groups of four characters, or not at all.'],
    ['bits after the end', 'iVBORx==', 'Must be Base64 without extra bits in its last character.'],
    ['words', 'not a picture!', 'Must be Base64.'],
    ['signs', '####', 'Must be Base64.'],
    ['another kind', base64(Buffer.from('GIF89a..')), 'Must be a JPEG or PNG picture; this is GIF.'],
    ['an SVG', base64(Buffer.from('<svg/>')), 'Must be a JPEG or PNG picture; this is SVG.'],
  ])('is refused: %s', async (_name, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'unreadable_image',
      errors: [{ pointer: '#/image/bytes', message }],
    })
  })
})

describe('a picture by its address', () => {
  test('is fetched from the address', async () => {
    expect(Buffer.from(await fetching(async () => png)).equals(png)).toBe(true)
  })

  test('is validated like any other', async () => {
    await expect(fetching(async () => Buffer.from('<html>'))).rejects.toMatchObject({
      errors: [{ pointer: '#/image/url', message: 'Must be a JPEG or PNG picture.' }],
    })
  })

  test('does not reveal why it could not be fetched', async () => {
    const why = ['This address is not allowed', 'ECONNREFUSED', 'ENOTFOUND', 'timeout']
    for (const cause of why) {
      await expect(fetching(() => Promise.reject(new Error(cause)))).rejects.toMatchObject({
        code: 'unreadable_image',
        message: 'The picture cannot be used. No picture could be fetched from this address.',
        errors: [{ pointer: '#/image/url', message: 'No picture could be fetched from this address.' }],
      })
    }
  })

  test('is abandoned when the client hangs up', async () => {
    const gone = new AbortController()
    gone.abort(new Error('gone'))
    const leaving = { accountId: 'a', signal: gone.signal }
    const reading = createReadImage({ outbound: nothingOut })({ url: 'https://a.example/' }, leaving)
    await expect(reading).rejects.toThrow('gone')
  })
})

describe('concurrently fetched pictures', () => {
  const busy = { code: 'overloaded', status: 503, retryAfterInSeconds: 2 }
  const image = { url: 'https://pictures.example/a.png' }

  /** Addresses that answer when the test tells them to, or when the client hangs up. */
  function createSlowPictures() {
    const ends: (() => void)[] = []
    const get: Outbound['get'] = ({ signal }) =>
      new Promise((done, fail) => {
        ends.push(() => done(png))
        signal.addEventListener('abort', () => fail(signal.reason))
      })
    return { ends, readImage: createReadImage({ outbound: { get } }) }
  }

  test('occupy at most half of the places for one account, and leave one for another', async () => {
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

  test('never exceed the number of places', async () => {
    const { readImage } = createSlowPictures()
    for (const account of ['a', 'b']) {
      for (let i = 0; i < 16; i++) void readImage(image, caller(account))
    }
    await expect(readImage(image, caller('c'))).rejects.toMatchObject(busy)
    expect(await readImage({ bytes: base64(png) }, caller('c'))).toHaveLength(png.length)
    await expect(readImage({ url: 'ftp://a.example' }, caller('c'))).rejects.toMatchObject({ status: 400 })
  })

  test('release their place when the client hangs up', async () => {
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

describe('a fetched picture', () => {
  test('counts towards the bytes of its request as it arrives, and ends with a 503 if there is no room', async () => {
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

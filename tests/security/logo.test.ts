import { randomBytes } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAccount, updateAccount } from '#shared/contract/account/account.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import { type Host, startHost } from '../support/host.ts'
import { newVerification, openSession } from '../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const drawn = (width: number, height: number, background = '#0a5c3c', alpha = 1): Sharp =>
  sharp({ create: { width, height, channels: 4, background } }).ensureAlpha(alpha)
const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
const png = (width = 200, height = 60) => drawn(width, height).png().toBuffer()
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
const set = async (bytes: Uint8Array | string | null) => {
  const logo = bytes === null ? null : base64(bytes)
  return (await host.call(updateAccount, { body: { logo } })).account.logo
}
const problemWith = (work: Promise<unknown>) =>
  work.then(
    () => 'no problem',
    (problem) => problem,
  )
const script = '<script>alert(1)</script>'
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`

describe('a logo that is not a valid picture', () => {
  test.each<[string, () => Promise<Uint8Array | string> | string]>([
    ['an SVG', () => svg],
    ['an SVG behind a declaration', () => `<?xml version="1.0"?>\n${svg}`],
    [
      'an SVG that begins as a PNG',
      async () => Buffer.concat([(await png()).subarray(0, 8), Buffer.from(svg)]),
    ],
    ['a page', () => `<!doctype html>${script}`],
    ['a GIF', async () => drawn(10, 10).gif().toBuffer()],
    ['a WebP', async () => drawn(10, 10).webp().toBuffer()],
    ['a TIFF', async () => drawn(10, 10).tiff().toBuffer()],
    ['half a PNG', async () => (await noise(64).png().toBuffer()).subarray(0, 4000)],
    ['a PNG of 513 pixels', () => png(513, 20)],
    ['a JPEG 513 pixels high', async () => drawn(20, 513).jpeg().toBuffer()],
    ['a PNG of more than 64 kB', async () => noise(200).png({ compressionLevel: 0 }).toBuffer()],
    ['nothing', () => ''],
  ])('is refused: %s', async (_, bytes) => {
    const before = (await host.call(getAccount, {})).account.logo
    const problem = await problemWith(set(await bytes()))
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer: '#/logo' }] })
    expect((await host.call(getAccount, {})).account.logo).toEqual(before)
  })

  test('is refused as the address of a picture', async () => {
    for (const logo of ['https://evil.example/logo.png', `data:image/svg+xml;base64,${base64(svg)}`]) {
      expect(await problemWith(host.call(updateAccount, { body: { logo } }))).toMatchObject({ status: 400 })
    }
  })
})

describe('a logo', () => {
  const pictureAt = async (address: string) => {
    const answer = await host.fetch(address)
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  test('is re-encoded, so that anything else in the file is gone', async () => {
    const withWords = await drawn(200, 60)
      .withExif({ IFD0: { Copyright: script } })
      .png()
      .toBuffer()
    const tailed = Buffer.concat([await drawn(200, 60).jpeg().toBuffer(), Buffer.from(svg)])
    expect(withWords.includes('alert')).toBe(true)
    for (const file of [withWords, tailed]) {
      const logo = (await set(file))!
      const { bytes } = await pictureAt(logo.address)
      expect(bytes.includes('alert')).toBe(false)
      expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12)).toBe('RIFFWEBP')
      expect(bytes.toString('latin1')).not.toMatch(/EXIF|XMP |ICCP/)
      expect(logo).toMatchObject({ width: 200, height: 60 })
    }
  })

  test('is served as a picture in which no script can run', async () => {
    const { address } = (await set(await png()))!
    expect(address).toMatch(/^\/logo\/[0-9a-f]{32}$/)
    const { answer } = await pictureAt(address)
    const headers = Object.fromEntries(answer.headers)
    expect(answer.status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    for (const unknown of ['/logo/x', `/logo/${'0'.repeat(32)}`, '/logo/', '/logo/..%2F..%2Fsecret']) {
      expect((await host.fetch(unknown)).status).toBe(404)
    }
    expect((await host.fetch(address, { method: 'POST' })).status).toBe(405)
  })

  test.each([
    [512, 512, 144, 144],
    [512, 40, 480, 38],
    [1, 1, 1, 1],
    [100, 30, 100, 30],
  ])('of %i x %i pixels is shown with %i x %i', async (width, height, shownWidth, shownHeight) => {
    expect(await set(await png(width, height))).toMatchObject({ width: shownWidth, height: shownHeight })
  })

  test('reaches the theme of sessions, and is gone from the next one when it is removed', async () => {
    const logo = await set(await png())
    const opened = await openSession(host, await newVerification(host))
    expect(opened.capturePlan.theme.logo).toEqual(logo)
    expect(await set(null)).toBeNull()
    const later = await openSession(host, await newVerification(host))
    expect(later.capturePlan.theme.logo).toBeNull()
    const { capturePlan } = await host.call(getSession, { bearer: opened.bearer })
    expect(capturePlan.theme.logo).toEqual(logo)
  })

  test('that was replaced stays as long as an open page can request it, and no longer', async () => {
    const own = await startHost()
    const change = async (logo: string) => (await own.call(updateAccount, { body: { logo } })).account.logo!
    const first = await change(base64(await png()))
    const second = await change(base64(await png(50, 50)))
    expect(second.address).not.toBe(first.address)
    expect((await own.fetch(first.address)).status).toBe(200)
    own.pass(3601_000)
    expect((await own.fetch(first.address)).status).toBe(404)
    expect((await own.fetch(second.address)).status).toBe(200)
    await own.close()
  })

  test('reports the colours that it contrasts with', async () => {
    const groundOf = async (colour: string) => {
      const mark = await drawn(40, 40, colour).png().toBuffer()
      const clear = sharp({ create: { width: 80, height: 80, channels: 4, background: '#00000000' } })
      return (await set(
        await clear
          .composite([{ input: mark }])
          .png()
          .toBuffer(),
      ))!.ground
    }
    expect(await groundOf('#000000')).toBe('light')
    expect(await groundOf('#ffffff')).toBe('dark')
    expect(await groundOf('#d0342c')).toBe('any')
    expect((await set(await png()))!.ground).toBe('any') // it fills its own ground
  })
})

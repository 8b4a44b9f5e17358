import sharp from 'sharp'
import { expect, test } from 'vitest'
import { bareJpeg } from '#shared/picture/bare-jpeg.ts'

const side = 48
const pixels = Uint8Array.from({ length: side * side * 3 }, (_, i) => (i * 37) % 256)

/** A JPEG with a profile of sRGB and capture data, like those of some browsers. */
async function described() {
  const raw = { width: side, height: side, channels: 3 } as const
  const jpeg = await sharp(pixels, { raw })
    .withIccProfile('srgb')
    .withExif({ IFD0: { Software: 'a browser' } })
    .jpeg({ quality: 80 })
    .toBuffer()
  return Uint8Array.from(jpeg)
}

test('a picture loses its description and keeps every pixel', async () => {
  const full = await described()
  const bare = bareJpeg(full)
  const { exif, icc } = await sharp(bare).metadata()
  expect([exif, icc]).toEqual([undefined, undefined])
  expect(bare.length).toBeLessThan(full.length - 400)
  const decoded = (bytes: Uint8Array) => sharp(bytes, { ignoreIcc: true }).raw().toBuffer()
  expect((await decoded(bare)).equals(await decoded(full))).toBe(true)
})

test('a comment goes, and the segments that decide the colours stay', async () => {
  const bare = bareJpeg(await described())
  const segment = (marker: number) => [0xff, marker, 0, 4, 1, 2]
  const head = [...bare.slice(0, 2)]
  const rest = [...bare.slice(2)]
  const colours = [...segment(0xe0), ...segment(0xee)]
  const commented = Uint8Array.from([...head, ...segment(0xfe), ...colours, ...segment(0xe1), ...rest])
  expect([...bareJpeg(commented)]).toEqual([...head, ...colours, ...rest])
})

test('bytes that are no JPEG, and one that is cut off, stay as they are', async () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xe2, 0, 4, 1, 2])
  expect(bareJpeg(png)).toBe(png)
  const cut = Uint8Array.from([0xff, 0xd8, 0xff, 0xdb, 0, 67, 1])
  expect([...bareJpeg(cut)]).toEqual([...cut])
})

import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { walkPicture } from '#shared/picture/picture-header.ts'
import { otherPictureKind } from '#shared/picture/picture-kind.ts'

const blank = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#808080' } })
/** A file type box with a major brand and compatible brands. */
const boxOf = (...brands: string[]) =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 12 + 4 * brands.length]),
    Buffer.from(`ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`),
    Buffer.alloc(64),
  ])
const text = (words: string) => async () => Buffer.from(words, 'latin1')

const kinds: readonly (readonly [kind: string, bytes: () => Promise<Uint8Array>])[] = [
  ['WebP', () => blank().webp().toBuffer()],
  ['GIF', () => blank().gif().toBuffer()],
  ['AVIF', () => blank().avif({ effort: 0 }).toBuffer()],
  ['TIFF', () => blank().tiff().toBuffer()],
  ['TIFF', text('MM\0*\0\0\0\x08')],
  ['HEIC', async () => boxOf('heic', 'mif1', 'heic')],
  ['HEIC', async () => boxOf('mif1', 'mif1', 'heix')],
  ['HEIC', async () => boxOf('msf1', 'hevc')],
  ['AVIF', async () => boxOf('mif1', 'mif1', 'avif')],
  ['BMP', async () => Buffer.from('424d3600000000000000360000002800000001000000', 'hex')],
  ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['SVG', text('\xef\xbb\xbf<?xml version="1.0"?>\n<!-- drawn -->\n<svg/>')],
  ['PDF', text('%PDF-1.7\n')],
  ['JPEG XL', text('\xff\x0a\0')],
  ['JPEG XL', text('\0\0\0\x0cJXL \r\n\x87\n')],
]

describe('a picture that is neither JPEG nor PNG', () => {
  test.each(kinds)('is named: %s', async (kind, bytes) => {
    expect(walkPicture(await bytes())).toEqual({ fault: `Must be a JPEG or PNG picture; this is ${kind}.` })
  })

  test.each([
    ['words', 'not a picture'],
    ['a page', '<!doctype html><p>svg'],
    ['two letters', 'BMW is a car, not a picture'],
    ['a film', boxOf('isom', 'iso2', 'mp41').toString('latin1')],
  ])('is not guessed: %s', (_what, words) => {
    const bytes = Buffer.from(words, 'latin1')
    expect(otherPictureKind(bytes)).toBeUndefined()
    expect(walkPicture(bytes)).toEqual({ fault: 'Must be a JPEG or PNG picture.' })
  })
})

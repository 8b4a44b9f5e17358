import sharp from 'sharp'
import { expect, test } from 'vitest'
import { encodeFilmPicture, encodePicture } from '#server/features/sessions/evidence/encode-evidence.ts'

test.each([encodePicture, encodeFilmPicture])(
  'a transparent picture is stored as evidence on black, as it was analysed',
  async (encode) => {
    const create = {
      width: 64,
      height: 64,
      channels: 4,
      background: { r: 255, g: 255, b: 255, alpha: 0 },
    } as const
    const encoded = await encode(await sharp({ create }).png().toBuffer())
    const { dominant } = await sharp(encoded).stats()
    expect(Math.max(dominant.r, dominant.g, dominant.b)).toBeLessThan(20)
  },
)

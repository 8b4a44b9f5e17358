import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { hasSharedData, readShared } from '../../../tests/support/shared-data.ts'

const sizes = { '640x480': [640, 480], '1280x720': [1280, 720], '4000x3000': [4000, 3000] } as const

/** The names of the pictures used in the measurement. `group` is a photograph of 29 people. */
export const pictureNames = ['640x480', '1280x720', '4000x3000', 'group'] as const
export type PictureName = (typeof pictureNames)[number]

/** A portrait is scaled up to the size of a phone's photo and gets new grain, because grain is most of what a JPEG decoder reads. */
const grain = { type: 'gaussian', mean: 128, sigma: 6 } as const

/** The JPEG with a given name. Undefined for the group if the shared data is missing. */
export async function pictureOf(name: PictureName): Promise<Buffer | undefined> {
  if (name === 'group')
    return hasSharedData ? readShared('detection', 'public-domain', 'solvay1927.jpg') : undefined
  const [width, height] = sizes[name]
  const astronaut = readFileSync(join(import.meta.dirname, '../../../tests/support/pictures/astronaut.png'))
  const scaled = sharp(astronaut).removeAlpha().resize(width, height, { fit: 'cover', position: 'top' })
  if (width <= 1280) return scaled.jpeg({ quality: 90 }).toBuffer()
  const noise = await sharp({ create: { width, height, channels: 3, background: '#808080', noise: grain } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return scaled
    .composite([{ input: noise, blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer()
}

import sharp from 'sharp'
import { astronaut } from '../../../tests/support/upload.ts'

const rows = 10
export const facesOfCrowd = rows * rows
const sideInPixels = 160

/** The position of the face and its surroundings in the photograph. */
const head = { left: 130, top: 20, width: 190, height: 190 }

/** A JPEG with a hundred faces, all slightly different. */
export async function crowdPicture(): Promise<Buffer> {
  const face = await sharp(astronaut).extract(head).resize(sideInPixels, sideInPixels).png().toBuffer()
  const tiles = await Promise.all(
    Array.from({ length: facesOfCrowd }, async (_, i) => ({
      input: await sharp(face)
        .modulate({ brightness: 0.8 + 0.4 * (i / facesOfCrowd) })
        .toBuffer(),
      left: (i % rows) * sideInPixels,
      top: Math.floor(i / rows) * sideInPixels,
    })),
  )
  const side = rows * sideInPixels
  return sharp({ create: { width: side, height: side, channels: 3, background: '#888' } })
    .composite(tiles)
    .jpeg({ quality: 85 })
    .toBuffer()
}

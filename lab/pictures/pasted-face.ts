import sharp from 'sharp'
import { type Raster, readRaster } from './raster.ts'

const size = { width: 640, height: 800 } as const
/** The photograph is a square at this position with sides of `side` pixels. */
const face = { side: 560, left: 42, top: 112 } as const
/** The half axes of the ellipse to keep, as shares of the square, and the radius from which its edge fades out. */
const kept = { across: 0.4, along: 0.48, soft: 0.15 } as const
/** All photographs are adjusted to this mean brightness, by a factor of at most `most`. */
const mean = { level: 115, most: 1.4 } as const

/** A made-up wall with soft bands of light and the edge of a cupboard. */
const wall: Raster = wallOf(size.width, size.height)

function wallOf(width: number, height: number): Raster {
  const rgb = new Uint8Array(3 * width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const level = 112 + 38 * Math.sin(x / 128) + (32 * y) / height + (x > 0.74 * width ? 17 : 0)
      rgb.set([level, 0.97 * level, 0.92 * level], 3 * (y * width + x))
    }
  }
  return { width, height, rgb }
}

/** A photograph's face in front of that wall, at the same brightness as all the others. */
export async function onWall(photograph: Buffer): Promise<Raster> {
  const { channels } = await sharp(photograph).stats()
  const light = channels.reduce((sum, channel) => sum + channel.mean, 0) / channels.length
  const { data } = await sharp(photograph)
    .toColourspace('srgb')
    .removeAlpha()
    .linear(Math.min(mean.most, mean.level / light), 0)
    .resize(face.side, face.side, { fit: 'fill' })
    .png()
    .toBuffer({ resolveWithObject: true })
  return blended(await readRaster(data))
}

function blended(square: Raster): Raster {
  const rgb = Uint8Array.from(wall.rgb)
  for (let y = 0; y < face.side; y++) {
    for (let x = 0; x < face.side; x++) {
      const across = (x / face.side - 0.5) / kept.across
      const along = (y / face.side - 0.5) / kept.along
      const share = Math.max(0, Math.min(1, (1 - Math.hypot(across, along)) / kept.soft))
      const at = 3 * ((y + face.top) * size.width + x + face.left)
      for (let k = 0; k < 3; k++) {
        const before = rgb[at + k]!
        rgb[at + k] = before + share * (square.rgb[3 * (y * face.side + x) + k]! - before)
      }
    }
  }
  return { ...size, rgb }
}

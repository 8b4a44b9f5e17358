import sharp from 'sharp'
import { type PlaybackChanges, plainly } from '#lab/attacks/instruments/filmed.ts'
import type { Raster } from '#lab/pictures/raster.ts'
import { expose } from '#lab/pictures/sensor.ts'

/** How much smaller a face looks at twice the distance. */
const twiceAsFar = 0.5
const halfTheLight = 0.5

/** From two distances, in two lights. */
export const takings: Readonly<Record<string, PlaybackChanges>> = {
  near: plainly,
  nearDim: { ...plainly, alter: dimmed },
  far: { ...plainly, alter: farther },
  farDim: { ...plainly, alter: async (picture, random) => dimmed(await farther(picture), random) },
}

/** Less light means more noise. Both are typical of a small sensor. */
function dimmed(picture: Raster, random: () => number): Raster {
  return expose(picture, { gain: halfTheLight, noise: 6 }, random)
}

/** The picture at half its size, in front of a background in its own colours. */
async function farther({ width, height, rgb }: Raster): Promise<Raster> {
  const whole = () => sharp(rgb, { raw: { width, height, channels: 3 } })
  const small = await whole()
    .resize(Math.round(width * twiceAsFar), Math.round(height * twiceAsFar))
    .png({ compressionLevel: 0 })
    .toBuffer()
  const colours = await whole().resize(8, 8, { fit: 'fill' }).png().toBuffer()
  const behind = await sharp(colours)
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const { data } = await sharp(behind)
    .composite([{ input: small }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width, height, rgb: new Uint8Array(data) }
}

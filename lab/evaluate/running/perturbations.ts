import sharp, { type Sharp } from 'sharp'
import {
  blurred,
  gammaCorrected,
  medianFiltered,
  mirrored,
  noisy,
  sharpened,
} from '#lab/evaluate/running/alterations.ts'
import type { RgbaFrame } from '../../../models/picture/frame.ts'

/** An alteration of every frame of a recording. Frames are never padded. */
export interface Perturbation {
  readonly name: string
  readonly apply: (frame: RgbaFrame) => Promise<RgbaFrame>
}

type Step = (frame: RgbaFrame) => RgbaFrame | Promise<RgbaFrame>

const noise =
  (sigma: number): Step =>
  (frame) =>
    noisy(frame, sigma)
const blur =
  (sigma: number): Step =>
  (frame) =>
    blurred(frame, sigma)
const sharpen: Step = (frame) => sharpened(frame, 1.5, 1.5)
const gamma =
  (exponent: number): Step =>
  (frame) =>
    gammaCorrected(frame, exponent)
/** A median, a faint blur and restored edges remove a screen's pattern from a picture of it. */
const withoutMoire: Step = (frame) => sharpened(blurred(medianFiltered(frame), 0.8), 0.8, 2)

/** Encodes as JPEG and decodes again. */
const jpeg =
  (quality: number): Step =>
  async ({ width, height, rgba }) => {
    const encoded = await sharp(rgba, { raw: { width, height, channels: 4 } })
      .jpeg({ quality })
      .toBuffer()
    return frameFrom(sharp(encoded))
  }

/** Shrinks permanently, like a poorer camera. */
const size =
  (share: number): Step =>
  ({ width, height, rgba }) =>
    frameFrom(
      sharp(rgba, { raw: { width, height, channels: 4 } }).resize(
        Math.round(width * share),
        Math.round(height * share),
        { fit: 'fill' },
      ),
    )

/** Shrinks to a share of the size and enlarges again. */
const scale =
  (share: number): Step =>
  async ({ width, height, rgba }) => {
    const small = await sharp(rgba, { raw: { width, height, channels: 4 } })
      .resize(Math.round(width * share), Math.round(height * share), { fit: 'fill' })
      .png({ compressionLevel: 0 })
      .toBuffer()
    return frameFrom(sharp(small).resize(width, height, { fit: 'fill' }))
  }

async function frameFrom(picture: Sharp): Promise<RgbaFrame> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: data }
}

const chain = (name: string, ...steps: readonly Step[]): Perturbation => ({
  name,
  apply: async (frame) => {
    let altered = frame
    for (const step of steps) altered = await step(altered)
    return altered
  },
})

/** The grid of alterations for clips; the first leaves them unchanged. Noise is in grey levels, blur in pixels. */
export const perturbations: readonly Perturbation[] = [
  chain('plain'),
  chain('noise 6', noise(6)),
  chain('noise 14', noise(14)),
  chain('noise 25', noise(25)),
  chain('blur 1.5', blur(1.5)),
  chain('blur 3', blur(3)),
  chain('noise 14, blur 1.5', noise(14), blur(1.5)),
  chain('noise 14, blur 3', noise(14), blur(3)),
  chain('sharpening', sharpen),
  chain('gamma 0.6', gamma(0.6)),
  chain('gamma 1.6', gamma(1.6)),
  chain('scaling 0.5', scale(0.5)),
  chain('scaling 0.35', scale(0.35)),
  chain('mirroring', mirrored),
  chain('JPEG 50', jpeg(50)),
  chain('JPEG 30', jpeg(30)),
  chain('JPEG 60 twice', jpeg(60), scale(0.9), jpeg(60)),
  chain('moire removal', withoutMoire),
  chain('moire removal, noise 14', withoutMoire, noise(14)),
  chain('blur 1.5, noise 14', blur(1.5), noise(14)),
  chain('scaling 0.5, noise 14', scale(0.5), noise(14)),
  chain('noise 14, JPEG 50', noise(14), jpeg(50)),
  chain('sharpening, noise 6', sharpen, noise(6)),
  chain('gamma 0.6, noise 14', gamma(0.6), noise(14)),
  chain('half the size', size(0.5)),
  chain('half the size, noise 14', size(0.5), noise(14)),
  chain('half the size, blur 1.5', size(0.5), blur(1.5)),
]

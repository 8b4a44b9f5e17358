import sharp from 'sharp'
import { blurred, noisy } from '#lab/evaluate/running/alterations.ts'
import { frameFrom } from '#lab/pictures/sharp-frame.ts'
import { type RgbaFrame, rgbaOf } from '../../../models/picture/frame.ts'
import type { Box } from '../../../models/rules/analysis.ts'

/** How a document's portrait differs from a camera's picture. Each step includes the previous ones. */
export const documentSteps = ['small', 'grey', 'compressed', 'printed'] as const
export type DocumentStep = (typeof documentSteps)[number]

/** The size of a document's portrait in pixels: 35 by 45 mm at about 87 dots per inch. */
const portrait = { width: 120, height: 154 } as const
/** How much of the height the face's box takes up, as in passport pictures. */
const faceShare = 0.62
/** The JPEG quality in a passport's chip, which is about 12 kB at full size. */
const chipQuality = 30

/**
 * Turns the face into a document portrait: cut out and scaled down to 120 by 154 pixels, then converted to grey, then compressed, then printed
 * (bleeding ink, paper that is neither black nor white, grain) and photographed again. Stops after `last`.
 */
export async function documentPortrait(frame: RgbaFrame, face: Box, last: DocumentStep): Promise<RgbaFrame> {
  const height = face.height / faceShare
  const width = (height * portrait.width) / portrait.height
  const cut = {
    left: Math.max(0, Math.round(face.x + face.width / 2 - width / 2)),
    top: Math.max(0, Math.round(face.y + face.height / 2 - height / 2)),
  }
  const raw = { width: frame.width, height: frame.height, channels: 4 } as const
  const small = sharp(frame.rgba, { raw })
    .extract({
      ...cut,
      width: Math.min(frame.width - cut.left, Math.round(width)),
      height: Math.min(frame.height - cut.top, Math.round(height)),
    })
    .resize(portrait.width, portrait.height, { fit: 'fill' })
  const at = documentSteps.indexOf(last)
  const grey = at >= 1 ? small.greyscale() : small
  if (at < 2) return frameFrom(sharp(await grey.png().toBuffer()))
  const compressed = await frameFrom(sharp(await grey.jpeg({ quality: chipQuality }).toBuffer()))
  return at < 3 ? compressed : frameFrom(sharp(await photographed(printed(compressed)).toBuffer()))
}

/** Ink bleeds by about half a dot. Black areas reflect a tenth of the light, and white areas nine tenths. */
function printed(frame: RgbaFrame): RgbaFrame {
  const { rgba, ...size } = noisy(blurred(frame, 0.6), 8)
  return rgbaOf({
    ...size,
    rgba: Uint8Array.from(rgba, (value, i) => (i % 4 === 3 ? value : 26 + value * 0.8)),
  })
}

/** A camera captures three pixels per dot, and compresses the picture again. */
function photographed({ width, height, rgba }: RgbaFrame) {
  const raw = { width, height, channels: 4 } as const
  return sharp(rgba, { raw })
    .resize(3 * width, 3 * height, { kernel: 'cubic' })
    .jpeg({ quality: 75 })
}

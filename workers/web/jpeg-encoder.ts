import type { EncodedSize } from '../api.ts'
import { type CameraPicture, fitted, sizeOf } from './bitmap-decoder.ts'

/** Encodes a picture as a JPEG that fits a size limit. `quality` is 0...1. */
export type EncodeJpeg = (
  picture: CameraPicture,
  size: EncodedSize,
  quality: number,
) => Promise<Uint8Array<ArrayBuffer>>

/** Each attempt lowers the quality by this step, down to the minimum (with a tolerance). Below that, the picture is scaled down instead. */
const lower = { by: 0.1, least: 0.3, hardly: 0.01 } as const
const smaller = 0.8

/**
 * Creates the encoder. [Note: Quality that fits] A JPEG's size is only known after encoding, so the encoder keeps lowering the quality until it
 * fits. Pictures from the same camera are similar, so the next one starts slightly above the last quality that fitted.
 */
export function createJpegEncoder(): EncodeJpeg {
  const fittedAt = new Map<number, number>()
  return async (picture, { longestSide, mostBytes }, quality) => {
    let canvas = draw(picture, longestSide)
    let tried = Math.min(quality, (fittedAt.get(longestSide) ?? quality) + lower.by / 2)
    for (let side = longestSide; ; ) {
      const bytes = await encode(canvas, tried)
      if (bytes.length <= mostBytes) {
        fittedAt.set(longestSide, tried)
        return bytes
      }
      if (tried > lower.least + lower.hardly) tried = Math.max(lower.least, tried - lower.by)
      else {
        side = Math.floor(side * smaller)
        canvas = draw(picture, side)
      }
    }
  }
}

function draw(picture: CameraPicture, longestSide: number): OffscreenCanvas {
  const { width, height } = fitted(sizeOf(picture), longestSide)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) throw new Error('this browser has no canvas in workers')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return canvas
}

async function encode(canvas: OffscreenCanvas, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality })
  return new Uint8Array(await blob.arrayBuffer())
}

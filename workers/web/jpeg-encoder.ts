import { bareJpeg } from '#shared/picture/bare-jpeg.ts'
import type { EncodedSize } from '../api.ts'
import { type CameraPicture, fitted, sizeOf } from './bitmap-decoder.ts'

/** Encodes a picture as a JPEG that fits a size limit. `quality` is 0...1. */
export type EncodeJpeg = (
  picture: CameraPicture,
  size: EncodedSize,
  quality: number,
) => Promise<Uint8Array<ArrayBuffer>>

/**
 * Each attempt lowers the quality by one of the first two steps, down to `fair` for the wanted size and to `least` for the maximum (both with a
 * tolerance). Below that, the picture is scaled down instead.
 */
const lower = { by: 0.05, further: 0.1, fair: 0.6, least: 0.3, hardly: 0.01 } as const
/** A picture that is this many times too large takes the larger step. */
const farTooLarge = 1.5
/** The next picture is tried slightly better if the last one left a fifth of the bytes unused. */
const roomyShare = 0.8
const smaller = 0.8

/**
 * Creates the encoder. [Note: Quality that fits] A JPEG's size is only known after encoding, so the encoder keeps lowering the quality until it
 * fits. Pictures from the same camera are similar, so the next one starts where the last one fitted.
 */
export function createJpegEncoder(): EncodeJpeg {
  const fitted = new Map<number, Fitted>()
  return async (picture, { longestSide, mostBytes, wantedBytes = mostBytes }, quality) => {
    const wanted = Math.min(wantedBytes, mostBytes)
    let canvas = draw(picture, longestSide)
    let tried = Math.min(quality, startOf(fitted.get(longestSide), wanted) ?? quality)
    for (let side = longestSide; ; ) {
      const bytes = await encode(canvas, tried)
      const isFair = tried > lower.fair + lower.hardly
      const goal = isFair ? wanted : mostBytes
      if (bytes.length <= goal) {
        fitted.set(longestSide, { quality: tried, bytes: bytes.length })
        return bytes
      }
      if (tried > lower.least + lower.hardly) {
        const by = bytes.length > farTooLarge * goal ? lower.further : lower.by
        tried = Math.max(isFair ? lower.fair : lower.least, tried - by)
      } else {
        side = Math.floor(side * smaller)
        canvas = draw(picture, side)
      }
    }
  }
}

/** How the last picture of a size was encoded. */
interface Fitted {
  readonly quality: number
  readonly bytes: number
}

function startOf(last: Fitted | undefined, wanted: number): number | undefined {
  if (last === undefined) return undefined
  return last.bytes <= roomyShare * wanted ? last.quality + lower.by : last.quality
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
  return bareJpeg(new Uint8Array(await blob.arrayBuffer()))
}

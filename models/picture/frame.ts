interface Size {
  readonly width: number
  readonly height: number
  /** The factor by which the original picture is wider and taller than this copy; 1 by default. */
  readonly shrunk?: number
  /** True if the decoder can make a larger frame of that picture. */
  readonly isCopy?: boolean
  /** The size of the original picture, if it is not a multiple of this one's. */
  readonly whole?: { readonly width: number; readonly height: number }
}

/** Bytes of pixels, row by row. */
export type Bytes = Uint8ClampedArray | Uint8Array

/** Pixels of 4 bytes: red, green, blue, and alpha, which is ignored. */
export interface RgbaFrame extends Size {
  readonly rgba: Bytes
}

/** Pixels of 3 bytes: red, green, blue. */
export interface RgbFrame extends Size {
  readonly rgb: Bytes
}

/** An upright picture of width x height pixels. */
export type Frame = RgbaFrame | RgbFrame

/** The bytes of a frame, and the bytes per pixel. */
export function bytesOf(frame: Frame): { readonly bytes: Bytes; readonly each: 3 | 4 } {
  return 'rgb' in frame ? { bytes: frame.rgb, each: 3 } : { bytes: frame.rgba, each: 4 }
}

/** Converts to 4 bytes per pixel, with alpha 255 if there was none. */
export function rgbaOf(frame: Frame): RgbaFrame {
  if ('rgba' in frame) return frame
  const { rgb, ...size } = frame
  const rgba = new Uint8Array((rgb.length / 3) * 4).fill(255)
  for (let i = 0, o = 0; i < rgb.length; i += 3, o += 4) {
    rgba[o] = rgb[i]!
    rgba[o + 1] = rgb[i + 1]!
    rgba[o + 2] = rgb[i + 2]!
  }
  return { ...size, rgba }
}

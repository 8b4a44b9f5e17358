interface Size {
  readonly width: number
  readonly height: number
  /** How many times wider and taller the original picture is than this copy. Defaults to 1. */
  readonly shrunk?: number
  /** True if the decoder can produce a larger frame of the same picture. */
  readonly isCopy?: boolean
  /** The original picture's size, if it is not a multiple of this frame's size. */
  readonly whole?: { readonly width: number; readonly height: number }
}

export type Bytes = Uint8ClampedArray | Uint8Array

/** Pixels of 4 bytes each: red, green, blue, and an alpha value that is ignored. */
export interface RgbaFrame extends Size {
  readonly rgba: Bytes
}

/** Pixels of 3 bytes each: red, green, blue. */
export interface RgbFrame extends Size {
  readonly rgb: Bytes
}

/** An upright picture with width x height pixels. */
export type Frame = RgbaFrame | RgbFrame

/** A frame's bytes and the number of bytes per pixel. */
export function bytesOf(frame: Frame): { readonly bytes: Bytes; readonly each: 3 | 4 } {
  return 'rgb' in frame ? { bytes: frame.rgb, each: 3 } : { bytes: frame.rgba, each: 4 }
}

/** Converts a frame to 4 bytes per pixel, with an alpha of 255 if it had none. */
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

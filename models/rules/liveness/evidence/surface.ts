/** The side of the picture that shows a face and its surroundings, in pixels. */
export const surfaceExtent = 128

/**
 * A face and its surroundings as the cues see them, about 46 cm per side. Only exists while the request that compares its pictures is being
 * handled, and is never stored.
 */
export interface Surface {
  /** Luminance 0...255, 128 x 128 pixels, row by row. */
  readonly grey: Uint8Array
  /** In frame pixels: the position of the first pixel, and the distance to the next one. */
  readonly left: number
  readonly top: number
  readonly step: number
  /** In frame pixels. */
  readonly width: number
  readonly height: number
  /**
   * The logarithm of the luminance at about 330 evenly spaced points on the skin, excluding eyes, brows and lips. NaN where the skin faces away
   * from the camera.
   */
  readonly skin: Float32Array
}

/** A face in one of a request's pictures. */
export interface Sight {
  readonly surface: Surface
  /** 468 points as flat x, y, z, in frame pixels. */
  readonly landmarks: ArrayLike<number>
  readonly pose: { readonly yaw: number; readonly pitch: number }
}

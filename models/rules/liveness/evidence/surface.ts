/** Side of the picture of a face and its surroundings, pixels. */
export const surfaceExtent = 128

/**
 * A face and its surroundings for the cues, about 46 cm per side. Exists only during the request whose pictures are
 * compared, and is never stored.
 */
export interface Surface {
  /** Luminance 0...255, 128 x 128, row by row. */
  readonly grey: Uint8Array
  /** Pixels of the frame: the position of the first pixel, and the distance to the next. */
  readonly left: number
  readonly top: number
  readonly step: number
  /** Pixels of the frame. */
  readonly width: number
  readonly height: number
  /**
   * Logarithm of the luminance at some 330 evenly spaced points of the skin, without eyes, brows and lips; NaN if the
   * skin faces away from the camera.
   */
  readonly skin: Float32Array
}

/** A face in one picture of a request. */
export interface Sight {
  readonly surface: Surface
  /** 468 points of x, y, z in pixels of the frame, flat. */
  readonly landmarks: ArrayLike<number>
  readonly pose: { readonly yaw: number; readonly pitch: number }
}

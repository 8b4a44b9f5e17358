/** Side of the picture that is kept of a face and what surrounds it, pixels. */
export const surfaceExtent = 128

/**
 * A face and its surroundings as the cues compare them, about 46 cm to a side. It lives as long as the request whose pictures are
 * compared, and is never stored.
 */
export interface Surface {
  /** Luminance 0...255, 128 x 128, row by row. */
  readonly grey: Uint8Array
  /** Pixels of the frame: where the first pixel begins, and how far it is to the next one. */
  readonly left: number
  readonly top: number
  readonly step: number
  /** Pixels of the frame. */
  readonly width: number
  readonly height: number
  /**
   * Logarithm of the luminance at some 330 places of the skin, even over the face, without eyes, brows and lips; NaN where the skin is
   * turned away from the camera.
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

/** An upright picture: `rgba` holds width x height pixels of 4 bytes (red, green, blue, alpha), row by row. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8ClampedArray | Uint8Array
  /** How many times as wide and high the picture is of which this is a smaller copy; 1 where not given. */
  readonly shrunk?: number
}

/** An upright picture: `rgba` holds width x height pixels of 4 bytes (red, green, blue, alpha), row by row. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8ClampedArray | Uint8Array
}

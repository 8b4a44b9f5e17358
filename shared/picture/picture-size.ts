/** A picture's size according to its headers, or a fault that is worded for the caller. */
export type WalkOutcome = WalkedPicture | { readonly fault: string }

interface WalkedPicture {
  readonly width: number
  readonly height: number
  /** How many bytes a decoder holds before it returns the first row: the entire picture if it is interlaced or progressive. */
  readonly heldBytes: number
  /** Set if the JPEG has four inks (CMYK). */
  readonly hasInks?: true
  /** The same picture in pieces, arranged so that every decoder reads it as browsers do. Absent if nothing has to be changed. */
  readonly mended?: MendedPicture
}

export interface MendedPicture {
  readonly pieces: readonly Uint8Array[]
  /** True if the end marker was missing. Only decoding shows whether pixels are missing too, so decoder warnings count as errors. */
  readonly lacksEnd: boolean
}

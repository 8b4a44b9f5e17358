/** Size of a picture as its headers declare it, or a fault in words for the caller. */
export type Walked = WalkedPicture | { readonly fault: string }

interface WalkedPicture {
  readonly width: number
  readonly height: number
  /** Bytes that a decoder holds before it returns the first row: the whole picture if it is interlaced or progressive. */
  readonly heldBytes: number
  /** Set if the JPEG has four inks (CMYK). */
  readonly hasInks?: true
  /** The same picture in pieces, arranged so that every decoder reads it as browsers do; absent if no change is needed. */
  readonly mended?: MendedPicture
}

export interface MendedPicture {
  readonly pieces: readonly Uint8Array[]
  /** The end marker was missing. Only decoding shows whether pixels are missing too, so decoder warnings count as errors. */
  readonly lacksEnd: boolean
}

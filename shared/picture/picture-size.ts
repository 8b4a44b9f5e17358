/** What a walk over the headers of a picture finds: its size, or what is wrong in words for the caller. */
export type Walked = WalkedPicture | { readonly fault: string }

interface WalkedPicture {
  readonly width: number
  readonly height: number
  /** What a decoder must hold at once before it gives the first row, in bytes: the whole picture where that comes in passes. */
  readonly heldBytes: number
  /** A JPEG of four inks instead of three colours. */
  readonly hasInks?: true
  /** The same picture in the form that every decoder reads as browsers do, in pieces; absent if it has that form. */
  readonly mended?: MendedPicture
}

export interface MendedPicture {
  readonly pieces: readonly Uint8Array[]
  /** The end was missing. Only decoding shows whether pixels are missing as well, so nothing that the decoder warns of may pass. */
  readonly lacksEnd: boolean
}

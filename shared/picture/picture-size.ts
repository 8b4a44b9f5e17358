/** What a walk over the headers of a picture finds: its size, or what is wrong in words for the caller. */
export type Walked = WalkedPicture | { readonly fault: string }

interface WalkedPicture {
  readonly width: number
  readonly height: number
  /** What a decoder must hold at once before it gives the first row, in bytes: the whole picture where that comes in passes. */
  readonly heldBytes: number
}

/** What a frame holds: entries that follow each other, or a checkpoint, which says where the log was. */
export type FrameKind = 'entries' | 'checkpoint'

/** A sealed piece of an account's audit log. */
export interface Frame {
  readonly kind: FrameKind
  /** The sequences of its first and its last entry; of a checkpoint twice that of the entry behind which it stands. */
  readonly first: number
  readonly last: number
  /** Milliseconds since 1970: when its last entry was made. */
  readonly time: number
  /** Sealed: the storage reads nothing of it. */
  readonly content: Uint8Array
}

/**
 * Where audit logs are kept for good: frames of accounts, which are added and read, and no more. Any process may add; that two add the same entries is
 * no harm. A frame that was cut short while it was written is left out.
 */
export interface AuditSegments {
  /** On the disk when it resolves. @throws where it cannot be written; then they may be added again */
  append(accountId: string, frames: readonly Frame[]): Promise<void>
  /** Frames with anything behind `after`, by their first sequence; those of one sequence in the order in which they were begun. */
  ascending(accountId: string, after: number): AsyncIterable<Frame>
  /** Frames with anything up to `before`, the newest first, as far as their writers allow. */
  descending(accountId: string, upTo: number): AsyncIterable<Frame>
  /** The first entries that are left, or undefined. */
  oldest(accountId: string): Promise<Frame | undefined>
  /** @throws in words unless this process may cut and trim */
  requireCut(): Promise<void>
  /** Removes what stands up to a sequence, or as much of it as nobody adds to; frames across it are handed to `split`, which answers what stays of them. */
  cut(accountId: string, through: number, split: Split): Promise<void>
  /** Removes what stands behind a sequence, for a restore. */
  trim(accountId: string, through: number, split: Split): Promise<void>
  /** The accounts of which there is anything. */
  accounts(): Promise<readonly string[]>
}

/** What stays of a frame that a cut goes through; undefined where nothing does. */
export type Split = (frame: Frame) => Frame | undefined

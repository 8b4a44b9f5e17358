/** A frame contains consecutive entries, or a checkpoint with a position in the log. */
export type FrameKind = 'entries' | 'checkpoint'

/** A sealed piece of an account's audit log. */
export interface Frame {
  readonly kind: FrameKind
  /** The sequences of its first and last entry; for a checkpoint, twice the sequence of the entry it follows. */
  readonly first: number
  readonly last: number
  /** Milliseconds since 1970: the time of its last entry. */
  readonly time: number
  /** Sealed; the storage does not interpret it. */
  readonly content: Uint8Array
}

/**
 * Permanent storage of audit logs: append-only frames per account. Any process may append, and duplicates do no harm.
 * Truncated frames are skipped.
 */
export interface AuditSegments {
  /** Flushed to disk when it resolves. @throws if it cannot be written; the frames may then be appended again */
  append(accountId: string, frames: readonly Frame[]): Promise<void>
  /** Frames with any content after `after`, by first sequence, then in the order in which they were begun. */
  ascending(accountId: string, after: number): AsyncIterable<Frame>
  /** Frames with any content up to `before`, roughly newest first. */
  descending(accountId: string, upTo: number): AsyncIterable<Frame>
  /** The oldest remaining entries, or undefined. */
  oldest(accountId: string): Promise<Frame | undefined>
  /** @throws an Error that names the remedy unless this process may cut and trim */
  requireCut(): Promise<void>
  /**
   * Removes content up to a sequence, except from files that are still appended to. Frames across it are passed to
   * `split`, which returns the remaining part.
   */
  cut(accountId: string, through: number, split: SplitFrame): Promise<void>
  /** Removes content after a sequence, for a restore. */
  trim(accountId: string, through: number, split: SplitFrame): Promise<void>
  /** The accounts with any content. */
  accounts(): Promise<readonly string[]>
}

/** The remaining part of a frame that spans a cut; undefined if there is none. */
export type SplitFrame = (frame: Frame) => Frame | undefined

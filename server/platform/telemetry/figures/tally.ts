/** A finished session, as far as it is counted. */
export interface EndedSession {
  readonly result: 'Pass' | 'Fail'
  /** Findings that count against a live person, from a small fixed set. */
  readonly findings: readonly string[]
  /** Light, pixel and timing cues, with their answers. */
  readonly cues: readonly { readonly name: string; readonly answer: string }[]
  /** Each requested action's outcome, from a fixed set. */
  readonly steps: readonly string[]
  /** True if another action was requested because the person could not perform the first one. */
  readonly alternative: boolean
}

/** Counts events for the metrics. Must not throw, and must be fast. */
export interface Tally {
  sessionEnded(ended: EndedSession): void
  /** Counts one attempt to deliver a webhook. */
  webhookSent(taken: boolean): void
  /** Counts a webhook delivery that was abandoned. */
  webhookLost(): void
  /** Counts lost pictures that should have been stored for a review. */
  evidenceLost(): void
  /** Counts a record that was skipped because it is unreadable. */
  recordUnreadable(kind: string): void
}

/** A finished session, as far as it is counted. */
export interface EndedSession {
  readonly result: 'Pass' | 'Fail'
  /** Findings against a live person, from a small fixed set. */
  readonly findings: readonly string[]
  /** Cues of light, pixels and time, with their answers. */
  readonly cues: readonly { readonly name: string; readonly answer: string }[]
  /** Outcome of each requested action, from a fixed set. */
  readonly steps: readonly string[]
  /** True if another action was requested of a person who could not perform the first. */
  readonly alternative: boolean
}

/** Counts events for the metrics. Must neither throw nor take time. */
export interface Tally {
  sessionEnded(ended: EndedSession): void
  /** One attempt to deliver a webhook. */
  webhookSent(taken: boolean): void
  /** Delivery of a webhook was abandoned. */
  webhookLost(): void
  /** Pictures that should have been stored for a review were lost. */
  evidenceLost(): void
  /** A record was skipped because it cannot be read. */
  recordUnreadable(kind: string): void
}

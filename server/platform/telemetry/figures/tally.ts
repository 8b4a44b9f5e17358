/** A session as it is counted. */
export interface EndedSession {
  readonly result: 'Pass' | 'Fail'
  /** What spoke against a live person: words of our own, few and fixed. */
  readonly findings: readonly string[]
  /** What light, pixels and time said of it. */
  readonly cues: readonly { readonly name: string; readonly answer: string }[]
  /** What came of each action that was asked, likewise. */
  readonly steps: readonly string[]
  /** Whether another action was asked of somebody who could not perform the first. */
  readonly alternative: boolean
}

/** Counts events for the metrics. It must neither throw nor take time. */
export interface Tally {
  sessionEnded(ended: EndedSession): void
  /** One attempt to hand a webhook over. */
  webhookSent(taken: boolean): void
  /** A webhook was given up. */
  webhookLost(): void
  /** Pictures were lost that were to be kept for a review. */
  evidenceLost(): void
  /** A record was left out that cannot be read. */
  recordUnreadable(kind: string): void
}

/** What an operator counts of what goes on inside. Told in passing: must neither throw nor take time. */
export interface Tally {
  sessionEnded(result: 'Pass' | 'Fail'): void
  /** One attempt to hand a webhook over. */
  webhookSent(taken: boolean): void
}

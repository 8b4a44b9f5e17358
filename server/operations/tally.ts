/** What an operator counts of what goes on inside. Told in passing: must neither throw nor take time. */
export interface Tally {
  /** `findings` is what spoke against a live person: words of our own, few and fixed. */
  sessionEnded(result: 'Pass' | 'Fail', findings: readonly string[]): void
  /** One attempt to hand a webhook over. */
  webhookSent(taken: boolean): void
}

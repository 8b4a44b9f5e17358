/** Odds beyond this (e to the sixth, 1 in 400) are not meaningful. */
const mostLogit = 6

/** The logarithm of the odds of a probability, bounded, so that one frame’s certainty does not outweigh all others. */
export function logit(probability: number): number {
  return Math.max(-mostLogit, Math.min(mostLogit, Math.log(probability / (1 - probability))))
}

/** The probability of a logit. */
export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value))
}

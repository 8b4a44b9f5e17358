/** Odds beyond this (e to the power of 6, or 1 in 400) are not meaningful. */
const mostLogit = 6

/** The log-odds of a probability, clamped so that one frame’s certainty cannot outweigh all the others. */
export function logit(probability: number): number {
  return Math.max(-mostLogit, Math.min(mostLogit, Math.log(probability / (1 - probability))))
}

/** The inverse of `logit`. */
export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value))
}

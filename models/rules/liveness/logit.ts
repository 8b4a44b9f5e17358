/** Beyond these odds (e to the sixth, 1 in 400) a network’s probabilities say no more. */
const mostLogit = 6

/** The logarithm of the odds of a probability, bounded, so that one frame’s certainty does not outweigh all others. */
export function logit(probability: number): number {
  const bounded = Math.max(1e-9, Math.min(1 - 1e-9, probability))
  return Math.max(-mostLogit, Math.min(mostLogit, Math.log(bounded / (1 - bounded))))
}

/** The probability of a logit. */
export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value))
}

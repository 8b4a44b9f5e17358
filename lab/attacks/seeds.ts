/** The seed of every run that names no other. */
export const defaultSeed = 1

/** No run gives a person this many sessions. */
const sessionsApart = 1000

/**
 * The number from which a person's session draws its noise, light and restlessness. Two seeds share none. [Note: The product draws its own challenges] A
 * seed makes the forgery the same again, not the visit: which action is asked for is the product's secret, so rows of one seed still differ by that.
 */
export function sessionOf(seed: number, session: number): number {
  return (seed - defaultSeed) * sessionsApart + session
}

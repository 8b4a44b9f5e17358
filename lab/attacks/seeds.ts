/** A run's default seed. */
export const defaultSeed = 1

/** More sessions than any run gives to one person. */
const sessionsApart = 1000

/**
 * Seeds the noise, light and unrest in a person's session. No two seeds have a number in common.
 * [Note: The product draws its own challenges] A seed makes the forgery reproducible, but not the visit. The product keeps the requested actions
 * secret, so rows with the same seed still differ in their actions.
 */
export function sessionOf(seed: number, session: number): number {
  return (seed - defaultSeed) * sessionsApart + session
}

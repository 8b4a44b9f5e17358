/** The default seed of a run. */
export const defaultSeed = 1

/** More than any run gives to one person. */
const sessionsApart = 1000

/**
 * The number that seeds the noise, light and unrest of a person's session. Two seeds share none.
 * [Note: The product draws its own challenges] A seed reproduces the forgery, not the visit: the requested actions are
 * the product's secret, so rows of one seed still differ by them.
 */
export function sessionOf(seed: number, session: number): number {
  return (seed - defaultSeed) * sessionsApart + session
}

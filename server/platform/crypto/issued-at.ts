/** How far the clock of whoever signed may be ahead of ours. */
const mostAheadSeconds = 60

/**
 * Whether something says that it was signed in the future. [Note: Nothing is signed tomorrow] What is dated ahead could be kept back, and used
 * when nobody looks for it any more. Seconds since 1970, and milliseconds of our own clock.
 */
export function isIssuedAhead(issuedAt: unknown, now: number): boolean {
  return typeof issuedAt !== 'number' || issuedAt > now / 1000 + mostAheadSeconds
}

/** The tolerated clock skew between a signer and this server, in seconds. */
const mostAheadSeconds = 60

/**
 * True if a signature is dated in the future. [Note: Nothing is signed tomorrow] A token dated ahead could be kept and used
 * long after it should have expired.
 * @param issuedAt seconds since 1970
 * @param now milliseconds since 1970
 */
export function isIssuedAhead(issuedAt: unknown, now: number): boolean {
  return typeof issuedAt !== 'number' || issuedAt > now / 1000 + mostAheadSeconds
}

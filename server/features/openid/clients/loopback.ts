/** A loopback address by IP only, since a name such as `localhost` may lead elsewhere. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

/** The address without its port if it is a loopback IP address, or unchanged if it is not. */
export function withoutLoopbackPort(address: string): string {
  return address.replace(loopback, '$1')
}

/**
 * Decides if a client may have people sent back to an address. [Note: Addresses are compared as sent] They must be equal
 * character by character. RFC 8252, 7.3 allows one exception: a program on the person's machine, which is a public client,
 * listens on any free loopback port.
 */
export function isRedirectAllowed(
  registered: readonly string[],
  isPublic: boolean,
  address: string,
): boolean {
  if (registered.includes(address)) return true
  if (!isPublic || !loopback.test(address) || !URL.canParse(address)) return false
  return registered.some((one) => withoutLoopbackPort(one) === withoutLoopbackPort(address))
}

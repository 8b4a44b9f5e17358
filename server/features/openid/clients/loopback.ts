/** A loopback address by its number, and no other: a name such as `localhost` may lead elsewhere. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

/** The address without its port if it is a loopback address by number; every other one as it is. */
export function withoutLoopbackPort(address: string): string {
  return address.replace(loopback, '$1')
}

/**
 * Whether a client may have people sent back to an address. [Note: Addresses are compared as sent] Character by character. The one exception
 * is RFC 8252, 7.3: a program on the person's machine, a public client, listens on any port of a loopback address that is free.
 */
export function isRedirectAllowed(
  registered: readonly string[],
  isPublic: boolean,
  address: string,
): boolean {
  if (registered.includes(address)) return true
  if (!isPublic || !loopback.test(address)) return false
  return registered.some((one) => withoutLoopbackPort(one) === withoutLoopbackPort(address))
}

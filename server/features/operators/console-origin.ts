import { isLoopbackAddress } from '#shared/web-address.ts'

/** What a server listens on that listens everywhere, this machine too. */
const everywhere = ['0.0.0.0', '[::]']

/**
 * Where the console is: the public address of the pages, but `localhost` in place of a number of this machine, because no passkey
 * works at an IP address.
 */
export function consoleOriginOf(pages: string): string {
  const { protocol, hostname, port, origin } = new URL(pages)
  const isHere = isLoopbackAddress(origin) || everywhere.includes(hostname)
  if (protocol !== 'http:' || !isHere) return origin
  return `http://localhost${port === '' ? '' : `:${port}`}`
}

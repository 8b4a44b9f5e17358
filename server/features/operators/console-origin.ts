import { isLoopbackAddress } from '#shared/web-address.ts'

/** Hosts on which a server listens on all addresses, including this machine. */
const everywhere = ['0.0.0.0', '[::]']

/**
 * The origin of the console: the public address of the pages, with `localhost` instead of an IP address of this machine,
 * because passkeys need a host name.
 */
export function consoleOriginOf(pages: string): string {
  const { protocol, hostname, port, origin } = new URL(pages)
  const isHere = isLoopbackAddress(origin) || everywhere.includes(hostname)
  if (protocol !== 'http:' || !isHere) return origin
  return `http://localhost${port === '' ? '' : `:${port}`}`
}

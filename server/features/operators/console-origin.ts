import { isLoopbackAddress } from '#shared/web-address.ts'

/** Hosts that make a server listen on all addresses, including this machine's. */
const everywhere = ['0.0.0.0', '[::]']

/**
 * The console's origin: the pages' public address, with `localhost` instead of this machine's IP address, because passkeys
 * need a host name.
 */
export function consoleOriginOf(pages: string): string {
  const { protocol, hostname, port, origin } = new URL(pages)
  const isHere = isLoopbackAddress(origin) || everywhere.includes(hostname)
  if (protocol !== 'http:' || !isHere) return origin
  return `http://localhost${port === '' ? '' : `:${port}`}`
}

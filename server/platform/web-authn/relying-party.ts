import { isIP } from 'node:net'

/** The party for which passkeys are created and used: the pages' public address. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * [Note: Passkeys belong to a name] Browsers bind passkeys to the host name of a secure page, never to an IP address.
 * Undefined if the pages have no suitable host.
 */
export function relyingPartyOf(address: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(address)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isNumber = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isNumber || !(protocol === 'https:' || isLocal) ? undefined : { id: hostname, origin }
}

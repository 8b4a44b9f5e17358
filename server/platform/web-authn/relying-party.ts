import { isIP } from 'node:net'

/** For whom passkeys are made and shown: the pages' public address. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * [Note: Passkeys belong to a name] Browsers bind them to the host of a secure page, and to no IP address: undefined
 * where the pages have no such host.
 */
export function relyingPartyOf(address: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(address)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isNumber = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isNumber || !(protocol === 'https:' || isLocal) ? undefined : { id: hostname, origin }
}

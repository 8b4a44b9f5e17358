/** Why an address is rejected, or undefined if it is accepted. */
export type AddressFault = string | undefined

const maximumLength = 2048
/** Browsers treat a backslash as a slash; other software does not. */
const confusing = /[\s\p{Cc}\\]/u
const loopbackHosts = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const reservedName = /^re[A-Z]/

interface Parts {
  protocol: string
  host: string
  userInfo: boolean
  query: string
}

/**
 * Checks an address that a person is sent to or that receives events: https (http on loopback), no user info.
 * [Note: Ours] Query names that begin with `re` and an upper-case letter are rejected, because they could pass for a result.
 */
export function addressFault(address: string): AddressFault {
  if (address.length > maximumLength) return `Must have at most ${maximumLength} characters.`
  if (confusing.test(address)) return 'Must not contain spaces, control characters or backslashes.'
  const parts = split(address)
  if (parts === undefined) return 'Must be an absolute http or https address.'
  if (parts.userInfo) return 'Must not contain user information.'
  if (parts.protocol === 'http' && !loopbackHosts.test(parts.host))
    return 'Must be https (http on loopback only).'
  return namesOf(parts.query).some((name) => reservedName.test(name))
    ? 'Must not contain a reserved parameter name.'
    : undefined
}

/** True if the address points to this machine. */
export function isLoopbackAddress(address: string): boolean {
  const parts = split(address)
  return parts !== undefined && loopbackHosts.test(parts.host)
}

/** Parses the subset of RFC 3986 that we accept; shared code has no URL class. */
function split(address: string): Parts | undefined {
  const match = /^(https?):\/\/([^/?#\\]+)([^?#]*)(?:\?([^#]*))?/i.exec(address)
  if (match === null) return undefined
  const authority = match[2]!
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d{1,5}$/, '')
  if (!/^([\p{L}\p{N}._-]+|\[[0-9a-fA-F:.]+\])$/u.test(host)) return undefined
  return {
    protocol: match[1]!.toLowerCase(),
    host: host.toLowerCase(),
    userInfo: authority.includes('@'),
    query: match[4] ?? '',
  }
}

function namesOf(query: string): string[] {
  return query.split('&').map((pair) => decode(pair.split('=', 1)[0]!))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

import { refuseFaults } from '#server/features/packs/packs.ts'

/** Parameters of a response. A query that already contains one would give the site two. */
const answered: readonly string[] = ['code', 'state', 'iss', 'error']

/**
 * Why people may not be sent back to an address; undefined if they may. The contract checks the rest: https or loopback,
 * no user information, no fragment. [Note: Addresses are compared as sent] An address that a browser would write
 * differently is refused, because sites send the browser's form, which would not be equal.
 */
export function redirectFault(address: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(address)) return 'Must have no characters but printable ASCII.'
  if (!URL.canParse(address)) return 'Must be an absolute http or https address.'
  const url = new URL(address)
  const taken = answered.find((name) => url.searchParams.has(name))
  if (taken !== undefined) return `Must not have \`${taken}\` in its query, because the response adds it.`
  if (url.href === usuallyWritten(address, url)) return undefined
  return `Must be written as browsers write it: ${url.href}`
}

/** The address without three harmless differences: the case of the host, a default port, and a missing slash of the empty path. */
function usuallyWritten(address: string, { protocol }: URL): string {
  const [, scheme = '', authority = '', rest = ''] = /^([^/]*\/\/)([^/?]*)(.*)$/.exec(address) ?? []
  const defaultPort = protocol === 'https:' ? /:443$/ : /:80$/
  const path = rest.startsWith('/') ? rest : `/${rest}`
  return `${scheme}${authority.toLowerCase().replace(defaultPort, '')}${path}`
}

/** Refuses addresses, each by the pointer to its place. @throws {Problem} 400 */
export function refuseRedirects(addresses: Readonly<Record<string, string>>): void {
  const faults = Object.entries(addresses).flatMap(([pointer, address]) => {
    const message = redirectFault(address)
    return message === undefined ? [] : [{ pointer, message }]
  })
  refuseFaults(faults)
}

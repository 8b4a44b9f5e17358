import { refuseFaults } from '#server/features/packs/packs.ts'

/** Response parameters. If a query already contained one, the site would get it twice. */
const answered: readonly string[] = ['code', 'state', 'iss', 'error']

/**
 * The reason that people may not be sent back to an address; undefined if they may. The contract checks the rest: https or
 * loopback, no user information, no fragment. [Note: Addresses are compared as sent] An address that a browser would write
 * differently is refused, because sites send the browser's version, which would not match.
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

/** The address without three harmless differences: the host's case, a default port, and an empty path's missing slash. */
function usuallyWritten(address: string, { protocol }: URL): string {
  const [, scheme = '', authority = '', rest = ''] = /^([^/]*\/\/)([^/?]*)(.*)$/.exec(address) ?? []
  const defaultPort = protocol === 'https:' ? /:443$/ : /:80$/
  const path = rest.startsWith('/') ? rest : `/${rest}`
  return `${scheme}${authority.toLowerCase().replace(defaultPort, '')}${path}`
}

/** Refuses addresses, with a pointer to each one's place. @throws {Problem} 400 */
export function refuseRedirects(addresses: Readonly<Record<string, string>>): void {
  const faults = Object.entries(addresses).flatMap(([pointer, address]) => {
    const message = redirectFault(address)
    return message === undefined ? [] : [{ pointer, message }]
  })
  refuseFaults(faults)
}

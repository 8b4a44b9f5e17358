import { hostname, type NetworkInterfaceInfo } from 'node:os'

/** What `os.networkInterfaces` answers. */
type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/**
 * The addresses at which other machines on the network can reach this one. IPv4 only, because every phone supports it and
 * people can type it.
 */
export function lanAddresses(interfaces: Interfaces): string[] {
  return Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
    )
    .map(({ address }) => address)
}

/** Every name that this machine's certificate for the local network should cover, starting with the ones phones resolve first. */
export function lanNames(interfaces: Interfaces, host: string = hostname()): string[] {
  const own = host.toLowerCase().replace(/\.local$/, '')
  const isName = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/.test(own)
  return [
    ...new Set([
      ...lanAddresses(interfaces),
      ...(isName ? [`${own}.local`, own] : []),
      'localhost',
      '127.0.0.1',
    ]),
  ]
}

import { BlockList, isIP } from 'node:net'
import { isLoopback } from './addresses.ts'
import type { IsAllowed } from './outbound.ts'

/** True if an entry is `loopback`, an IP address, a network such as 10.0.0.0/8, or a host name. */
export function isAllowEntry(entry: string): boolean {
  const [base, prefix, ...rest] = entry.split('/')
  if (rest.length > 0) return false
  if (prefix === undefined) return isIP(entry) !== 0 || /^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i.test(entry)
  const bits = isIP(base!) === 4 ? 32 : 128
  return isIP(base!) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}

/** Hosts that may be requested in addition to the public internet: named hosts, networks, or this machine itself. */
export function createAllowList(entries: readonly string[]): IsAllowed {
  const networks = new BlockList()
  const names = new Set<string>()
  for (const entry of entries) {
    const [base, prefix] = entry.split('/') as [string, string | undefined]
    const family = isIP(base) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(base) === 0) names.add(entry.toLowerCase())
    else networks.addSubnet(base, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  const allowsLoopback = names.delete('loopback')
  return (host, ip) =>
    (allowsLoopback && isLoopback(ip)) ||
    names.has(host.toLowerCase()) ||
    networks.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

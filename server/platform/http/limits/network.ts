import { isIPv4, isIPv6 } from 'node:net'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The network that a client is counted under: an IPv4 address, or an IPv6 address's /64, because providers assign whole
 * /64s to a single customer.
 */
export function networkOf(address: string): string {
  const [, inner] = mapped.exec(address) ?? []
  if (inner !== undefined) return inner
  if (isIPv4(address) || !isIPv6(address)) return address
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const isShort = address.includes('::')
  const zeros = isShort
    ? Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
    : []
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

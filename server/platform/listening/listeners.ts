import { hosts, type Role } from '#shared/hosts.ts'

/** One of this process's ports, and the roles served on it. */
export interface Listener {
  /** 0 picks a free port. */
  readonly port: number
  readonly roles: readonly Role[]
}

const mostPort = 65_535

/**
 * Parses ports and their roles: `8080:configuration,security;8081:liveness`.
 * @returns undefined if a port or role is invalid or listed twice, because each role has exactly one address
 */
export function readListen(text: string): readonly Listener[] | undefined {
  const listeners = text.split(';').map(readListener)
  if (!listeners.every((listener) => listener !== undefined)) return undefined
  const ports = listeners.map(({ port }) => port).filter((port) => port !== 0)
  const roles = listeners.flatMap((listener) => listener.roles)
  return isUnique(ports) && isUnique(roles) ? listeners : undefined
}

function readListener(text: string): Listener | undefined {
  const [, digits, names] = /^\s*(\d{1,5})\s*:(.+)$/.exec(text) ?? []
  if (digits === undefined || names === undefined || Number(digits) > mostPort) return undefined
  const roles = names.split(',').map((name) => name.trim())
  return roles.every(isRole) ? { port: Number(digits), roles } : undefined
}

function isRole(name: string): name is Role {
  return Object.hasOwn(hosts, name)
}

function isUnique(items: readonly unknown[]): boolean {
  return new Set(items).size === items.length
}

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'

/** What of an address has a say in how connections are made and how long anything may take. */
export interface PostgresAddress {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string | undefined
  /** Undefined where the server asks for none, or `~/.pgpass` holds it. */
  readonly password: string | undefined
  /** Undefined for a connection that is not sealed. */
  readonly ssl: ConnectionOptions | undefined
  readonly protection: Protection
  /** Connections that a process has at most. */
  readonly connections: number
  readonly connectInMilliseconds: number
  readonly statementInMilliseconds: number
  readonly lockInMilliseconds: number
}

/** How the way to the server is protected. */
export type Protection = 'on this machine' | 'verified' | 'encrypted' | 'none'

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof modes)[number]

/** The parameters of an address, with what they are where they are not given. */
const numbers = {
  pool_max: { usual: 10, least: 2, most: 200 },
  connect_timeout: { usual: 3, least: 1, most: 60 },
  statement_timeout: { usual: 5000, least: 100, most: 600_000 },
  lock_timeout: { usual: 3000, least: 100, most: 600_000 },
} as const
const words = ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const

/**
 * Reads `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=…`, with the names that the clients of
 * PostgreSQL have for it. The folder of a socket is given as `host`. Files of certificates are read at once.
 * @throws in words that hold no password
 */
export function readPostgresAddress(address: string): PostgresAddress {
  const url = parse(address)
  const given = url.searchParams
  refuseUnknown(given)
  const host = given.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[|\]$/g, ''))
  const database = decodeURIComponent(url.pathname.slice(1))
  if (host === '' || database === '')
    throw new Error('STORE names no host, or no database: postgres://user@host/database.')
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    ssl: tlsOf(given, host),
    protection: protectionOf(given, host),
    connections: numberOf(given, 'pool_max'),
    connectInMilliseconds: numberOf(given, 'connect_timeout') * 1000,
    statementInMilliseconds: numberOf(given, 'statement_timeout'),
    lockInMilliseconds: numberOf(given, 'lock_timeout'),
  }
}

function protectionOf(given: URLSearchParams, host: string): Protection {
  if (host.startsWith('/') || /^(localhost|127\.|::1$)/.test(host)) return 'on this machine'
  const mode = given.get('sslmode') ?? 'disable'
  if (mode === 'disable') return 'none'
  return mode === 'verify-full' ? 'verified' : 'encrypted'
}

function parse(address: string): URL {
  try {
    // A socket has no host, which this way of writing addresses does not know.
    return new URL(address.replace(/^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)\//, '$1socket/'))
  } catch {
    throw new Error('STORE is no address: postgres://user@host:5432/database.')
  }
}

function refuseUnknown(given: URLSearchParams): void {
  const known: readonly string[] = [...Object.keys(numbers), ...words]
  const unknown = [...given.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`STORE: there is no ${unknown}; there are ${known.join(', ')}.`)
}

function numberOf(given: URLSearchParams, name: keyof typeof numbers): number {
  const { usual, least, most } = numbers[name]
  const value = Number(given.get(name) ?? usual)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`STORE: ${name} must be a whole number from ${least} to ${most}.`)
}

/** [Note: As psql takes them] `require` encrypts and believes every certificate, unless one to check by is given. */
function tlsOf(given: URLSearchParams, host: string): ConnectionOptions | undefined {
  const mode = (given.get('sslmode') ?? 'disable') as Mode
  if (!modes.includes(mode)) throw new Error(`STORE: sslmode must be one of ${modes.join(', ')}.`)
  if (mode === 'disable') return undefined
  const root = given.get('sslrootcert')
  const [cert, key] = [given.get('sslcert'), given.get('sslkey')]
  return {
    ...(root !== null && root !== 'system' && { ca: fileOf('sslrootcert', root) }),
    ...(cert !== null && { cert: fileOf('sslcert', cert) }),
    ...(key !== null && { key: fileOf('sslkey', key) }),
    rejectUnauthorized: mode !== 'require' || root !== null,
    ...(mode === 'verify-full'
      ? { checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) }
      : { checkServerIdentity: () => undefined }),
    ...(isIP(host) === 0 && { servername: host }),
  }
}

function fileOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`STORE: ${name} cannot be read: ${(error as Error).message}`)
  }
}

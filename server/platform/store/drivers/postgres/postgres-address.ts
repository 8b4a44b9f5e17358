import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'

/** The parts of an address that determine how connections are made, and their time limits. */
export interface PostgresAddress {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string | undefined
  /** Undefined if the server needs no password, or it is in `~/.pgpass`. */
  readonly password: string | undefined
  /** Undefined for an unencrypted connection. */
  readonly ssl: ConnectionOptions | undefined
  readonly protection: Protection
  /** This process's maximum number of connections. */
  readonly connections: number
  readonly connectInMilliseconds: number
  readonly statementInMilliseconds: number
  readonly lockInMilliseconds: number
}

/** How the connection to the server is protected. */
export type Protection = 'on this machine' | 'verified' | 'encrypted' | 'none'

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof modes)[number]

/** An address's parameters, with their defaults. */
const numbers = {
  pool_max: { usual: 10, least: 2, most: 200 },
  connect_timeout: { usual: 3, least: 1, most: 60 },
  statement_timeout: { usual: 5000, least: 100, most: 600_000 },
  lock_timeout: { usual: 3000, least: 100, most: 600_000 },
} as const
const words = ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const

/**
 * Parses `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=…`, with the parameter names of the
 * PostgreSQL clients. `host` may be the folder of a Unix socket. Reads certificate files immediately.
 * @throws with a message that contains no password
 */
export function readPostgresAddress(address: string): PostgresAddress {
  const url = parse(address)
  const given = url.searchParams
  refuseUnknown(given)
  const host = given.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[|\]$/g, ''))
  const database = decodeURIComponent(url.pathname.slice(1))
  if (host === '' || database === '')
    throw new Error('STORE must name a host and a database: postgres://user@host/database.')
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
    // A socket's URL has no host, which the URL parser does not accept.
    return new URL(address.replace(/^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)\//, '$1socket/'))
  } catch {
    throw new Error('STORE must be an address such as postgres://user@host:5432/database.')
  }
}

function refuseUnknown(given: URLSearchParams): void {
  const known: readonly string[] = [...Object.keys(numbers), ...words]
  const unknown = [...given.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`STORE: ${unknown} is not a known parameter. Use ${known.join(', ')}.`)
}

function numberOf(given: URLSearchParams, name: keyof typeof numbers): number {
  const { usual, least, most } = numbers[name]
  const value = Number(given.get(name) ?? usual)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`STORE: ${name} must be a whole number from ${least} to ${most}.`)
}

/** [Note: As psql takes them] `require` encrypts but accepts any certificate, unless a root certificate is given. */
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

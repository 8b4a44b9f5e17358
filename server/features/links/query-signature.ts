import { createHmac, timingSafeEqual } from 'node:crypto'
import { securityNames } from './reserved-names.ts'

/** A canonical query with a well-formed signature, split into its parts. */
export interface SignedQuery {
  /** The signed bytes: everything before `reSignature`. */
  readonly message: string
  readonly signature: string
  readonly expiration: number | undefined
  readonly nonce: string | undefined
}

/** Appends a parameter to a query, which may be empty. */
export function append(query: string, name: string, value: string): string {
  return query === '' ? `${name}=${value}` : `${query}&${name}=${value}`
}

/** HMAC-SHA-256 in lower-case hex. */
function signatureOf(message: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(message).digest('hex')
}

/** Signs a canonical query. */
export function sign(message: string, key: Uint8Array): { signature: string; signedQuery: string } {
  const signature = signatureOf(message, key)
  return { signature, signedQuery: append(message, 'reSignature', signature) }
}

/**
 * Splits a signed query into its parts; undefined unless it has exactly the form we produce. The security names must appear
 * once, in order and unencoded, because `%72eSignature` or a second reNonce could be interpreted differently elsewhere.
 */
export function readSignedQuery(query: string): SignedQuery | undefined {
  const end = /(^|&)reSignature=([0-9a-f]{64})$/.exec(query)
  if (end === null) return undefined
  const message = query.slice(0, end.index)
  const found = message.split('&').filter((pair) => isSecurityName(decodedName(pair)))
  const [first, second, ...more] = found.map(plainPair)
  if (more.length > 0 || found.some((pair) => plainPair(pair) === undefined)) return undefined
  const expiration = first?.name === 'reExpiration' ? first.value : undefined
  const last = expiration === undefined ? first : second
  const nonce = last?.name === 'reNonce' ? last.value : undefined
  if (Number(expiration !== undefined) + Number(nonce !== undefined) !== found.length) return undefined
  if (nonce !== undefined && expiration === undefined) return undefined
  if (expiration !== undefined && !/^\d{1,12}$/.test(expiration)) return undefined
  return {
    message,
    signature: end[2]!,
    expiration: expiration === undefined ? undefined : Number(expiration),
    nonce,
  }
}

/** True if one of the keys made the signature. Tries every key, so that the time taken does not reveal which one. */
export function isSignedBy(query: SignedQuery, keys: readonly Uint8Array[]): boolean {
  const given = Buffer.from(query.signature)
  let isSigned = false
  for (const key of keys) {
    const matches = timingSafeEqual(given, Buffer.from(signatureOf(query.message, key)))
    isSigned ||= matches
  }
  return isSigned
}

/** A query's parameter names as a form decoder reads them. */
export function decodedNames(query: string): string[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map(decodedName)
}

function isSecurityName(name: string): boolean {
  return (securityNames as readonly string[]).includes(name)
}

function plainPair(pair: string): { name: string; value: string } | undefined {
  const match = /^(reExpiration|reNonce)=([0-9A-Za-z_-]{1,100})$/.exec(pair)
  return match === null ? undefined : { name: match[1]!, value: match[2]! }
}

/** Letters, digits and similar characters, which every decoder reads the same way. */
const plainName = /^([\w.~-]+)(?:=|$)/

function decodedName(pair: string): string {
  const plain = plainName.exec(pair)
  if (plain !== null) return plain[1]!
  const [first] = new URLSearchParams(`?${pair}`)
  return first?.[0] ?? ''
}

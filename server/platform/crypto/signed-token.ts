import { type KeyObject, sign } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'

const foreignHeaders = ['jku', 'jwk', 'x5u', 'x5c', 'crit'] as const

/** What is signed names its key by `kid`, and brings none. @throws where the header says otherwise */
export function refuseForeignKeys(header: object): void {
  if (foreignHeaders.some((name) => name in header)) throw new Error('refused header')
}

/** Far more than an algorithm, a type, two ids and the point of a key take. */
const longestHeader = 2048

/**
 * The id of the key that something compact was signed with or sealed to, before any of it is believed.
 * [Note: Headers are short] A header is read before the key is known, so from anybody: one of megabytes would hold up
 * everybody else, and is refused unread.
 * @throws where the header is long, names no key, or brings one
 */
export function kidOf(compact: string): string {
  if (compact.indexOf('.') > longestHeader) throw new Error('long header')
  const header = decodeProtectedHeader(compact)
  refuseForeignKeys(header)
  if (typeof header.kid !== 'string') throw new Error('no key id')
  return header.kid
}

/**
 * [Note: Signed at once] The compact form of RFC 7515. Signing takes less time than handing the work to another thread
 * and back, which is what the platform's asynchronous interface does.
 */
export function signed(header: object, claims: object, key: KeyObject): string {
  return signCompactJws(encoded(header), claims, key)
}

/** As `signed`, with a header that was encoded before. */
export function signCompactJws(header: string, claims: object, key: KeyObject): string {
  const message = `${header}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(message), { key, dsaEncoding: 'ieee-p1363' })
  return `${message}.${signature.toString('base64url')}`
}

/** A part of the compact form. */
export function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

import { type KeyObject, sign } from 'node:crypto'

const foreignHeaders = ['jku', 'jwk', 'x5u', 'x5c', 'crit'] as const

/** What is signed names its key by `kid`, and brings none. @throws where the header says otherwise */
export function refuseForeignKeys(header: object): void {
  if (foreignHeaders.some((name) => name in header)) throw new Error('refused header')
}

/**
 * [Note: Signed at once] The compact form of RFC 7515. Signing takes less time than handing the work to another thread
 * and back, which is what the platform's asynchronous interface does.
 */
export function signed(header: object, claims: object, key: KeyObject): string {
  const message = `${encoded(header)}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(message), { key, dsaEncoding: 'ieee-p1363' })
  return `${message}.${signature.toString('base64url')}`
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

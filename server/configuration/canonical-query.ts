/** What cannot be part of a query string at all, and why. */
export class QueryFault extends Error {}

const controls = /\p{Cc}/u
/** The special-query percent-encode set of the WHATWG URL standard, less the controls, which are refused. */
const mustEncode = /[ "#<>'\u0080-\u{10ffff}]/gu

/**
 * Serialises a query as a browser's URL parser will: the special-query set is percent-encoded as UTF-8, and nothing is
 * decoded, reordered or case-folded. Leading `?` are dropped. Applying it twice changes nothing.
 * @throws {QueryFault} on `#` and on control characters, which a browser would cut or drop
 */
export function canonicalQuery(raw: string): string {
  const query = raw.replace(/^\?+/, '')
  if (query.includes('#')) throw new QueryFault('Must not contain #.')
  if (controls.test(query)) throw new QueryFault('Must not contain control characters.')
  return query.replace(mustEncode, percentEncode)
}

function percentEncode(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `%${hex(byte)}`).join('')
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}

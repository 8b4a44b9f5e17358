/** What cannot be part of a query string at all, and why. */
export class QueryFault extends Error {}

/** What a browser drops from an address, wherever it stands. */
const dropped = /[\t\n\r]/g
/** The special-query percent-encode set of the WHATWG URL standard. */
const mustEncode = /[\p{Cc} "#<>'\u0080-\u{10ffff}]/gu

/** Printable ASCII without anything that is dropped, refused or encoded. */
const canonical = /^(?!\?)[!$-&(-;=?-~]*$/

/**
 * Serialises a query as a browser's URL parser will: the special-query set is percent-encoded as UTF-8, and nothing is
 * decoded, reordered or case-folded. Tabs, line breaks and leading `?` are dropped: applying it twice changes nothing.
 * @throws {QueryFault} on `#`, at which a browser would cut
 */
export function canonicalQuery(raw: string): string {
  if (canonical.test(raw)) return raw
  const query = raw.replace(dropped, '').replace(/^\?+/, '')
  if (query.includes('#')) throw new QueryFault('Must not contain #.')
  return query.replace(mustEncode, percentEncode)
}

function percentEncode(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `%${hex(byte)}`).join('')
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}

/** Text that cannot be part of a query string, with the reason. */
export class QueryFault extends Error {}

/** Characters that browsers drop anywhere in an address. */
const dropped = /[\t\n\r]/g
/** The special-query percent-encode set from the WHATWG URL standard. */
const mustEncode = /[\p{Cc} "#<>'\u0080-\u{10ffff}]/gu

/** Printable ASCII without any character that is dropped, refused or encoded. */
const canonical = /^(?!\?)[!$-&(-;=?-~]*$/

/**
 * Serialises a query as a browser's URL parser does: the special-query set is percent-encoded as UTF-8, and nothing is
 * decoded, reordered or case-folded. Tabs, line breaks and leading `?` are dropped. Applying it twice changes nothing.
 * @throws {QueryFault} on `#`, where a browser would cut the query
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

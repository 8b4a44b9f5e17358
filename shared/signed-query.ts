const signature = /(?:^\??|&)reSignature=[0-9a-f]{64}/

/**
 * Drops everything after the signature of a query: mail programs and trackers append parameters and punctuation there, and none of it is signed.
 * Returns a query without a signature as it is. A leading `?` stays.
 */
export function upToSignature(query: string): string {
  const found = signature.exec(query)
  return found === null ? query : query.slice(0, found.index + found[0].length)
}

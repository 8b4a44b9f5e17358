import { sameBytes } from '#server/platform/store/same-bytes.ts'

/** Equals the number that is kept decoded; see tables.ts. */
const mostKept = 1000
/** The kinds that every request from an integrator reads. */
const keptKinds = ['account', 'api-key']

type OpenEntry = (key: string, stored: Uint8Array) => Uint8Array

/**
 * Opens a sealed store's records. [Note: Unsealed once] Records that every request reads are cached in opened form for as
 * long as the store holds the same sealed bytes under their key, because these have been authenticated. The store is still
 * read each time, so a revocation applies immediately. Callers must not modify the bytes.
 */
export function createOpenedEntries(open: OpenEntry): OpenEntry {
  const opened = new Map<string, { readonly stored: Uint8Array; readonly value: Uint8Array }>()
  return (key, stored) => {
    const known = opened.get(key)
    if (known !== undefined && sameBytes(known.stored, stored)) return known.value
    if (!keptKinds.includes(key.slice(0, key.indexOf('/')))) return open(key, stored)
    opened.delete(key)
    const value = open(key, stored)
    if (opened.size >= mostKept) opened.clear()
    opened.set(key, { stored, value })
    return value
  }
}

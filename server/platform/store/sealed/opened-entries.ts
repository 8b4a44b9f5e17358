import { sameBytes } from '#server/platform/store/same-bytes.ts'

/** As many as are kept decoded: see tables.ts. */
const mostKept = 1000
/** What every request of an integrator reads. */
const keptKinds = ['account', 'api-key']

type Open = (key: string, stored: Uint8Array) => Uint8Array

/**
 * Opens records of a sealed store. [Note: Unsealed once] Those that every request reads are kept as they were opened, each as long as the store
 * holds the same sealed bytes under its key: these were authenticated before. The store is read each time all the same, so a
 * revocation counts at once. Whoever gets a record must not write to it.
 */
export function createOpenedEntries(open: Open): Open {
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

import { kindOf } from '#server/platform/store/records/record-kinds.ts'
import type { Store } from '#server/platform/store/store.ts'

/** A store's entries: the number of bytes in the key and value, and the expiry in milliseconds since 1970. */
export type Holding = ReadonlyMap<string, { readonly bytes: number; readonly expiresAt: number | undefined }>

/** The entries that only one of two sets contains. */
export interface Difference {
  readonly bytes: number
  readonly entries: number
  /** When the last of them expires; infinite if one never does. */
  readonly seconds: number
  readonly kinds: readonly string[]
}

/**
 * Entries that do not grow with a single visitor's calls: keys, ends of logs, counts of hours and limits, and an
 * account's request log, which only keeps the latest calls. Audit log entries leave the store after half a
 * second.
 */
const shared: ReadonlySet<string> = new Set([
  'audit-head',
  'audit-mover',
  'audit-outbox',
  'left-behind',
  'openid-key',
  'openid-test-key',
  'picture-log-end',
  'rate-share',
  'request-log',
  'session-count',
  'token-key',
])

export async function holdingOf(store: Pick<Store, 'list'>): Promise<Holding> {
  const held = new Map<string, { bytes: number; expiresAt: number | undefined }>()
  for await (const { key, value, expiresAt } of store.list(''))
    held.set(key, { bytes: key.length + value.length, expiresAt })
  return held
}

/** True for an entry that a caller adds, false for one that is shared. */
export function isOfCaller(key: string): boolean {
  // A key with this ending holds a list's last number.
  return !shared.has(kindOf(key)) && !key.endsWith('#')
}

/** The entries that were added, and how much the others grew. */
export function addedTo(before: Holding, after: Holding, now: number): Difference {
  const added = [...after].flatMap(([key, { bytes, expiresAt }]) => {
    const more = bytes - (before.get(key)?.bytes ?? 0)
    return more > 0 && isOfCaller(key) ? [{ key, more, expiresAt }] : []
  })
  const ends = added.map(({ expiresAt }) => ((expiresAt ?? Number.POSITIVE_INFINITY) - now) / 1000)
  return {
    bytes: added.reduce((sum, { more }) => sum + more, 0),
    entries: added.length,
    seconds: Math.max(0, ...ends),
    kinds: [...new Set(added.map(({ key }) => kindOf(key)))].sort(),
  }
}

import { kindOf } from '#server/platform/store/records/record-kinds.ts'
import type { Store } from '#server/platform/store/store.ts'

/** What a store holds: the bytes of each key and value, and until when, in milliseconds since 1970. */
export type Holding = ReadonlyMap<string, { readonly bytes: number; readonly expiresAt: number | undefined }>

/** What one holding has more than another. */
export interface Difference {
  readonly bytes: number
  readonly entries: number
  /** How long the last of it stays; infinite for what stays for good. */
  readonly seconds: number
  readonly kinds: readonly string[]
}

/**
 * What is there whoever calls: keys, ends of logs, counts of hours and of limits, and the last calls of an account, of which the newest replace the
 * oldest. An entry for the audit log waits for half a second, and then leaves the store.
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

/** Whether an entry of this kind belongs to whoever called. */
export function isOfCaller(key: string): boolean {
  // Where the last number of a list stands.
  return !shared.has(kindOf(key)) && !key.endsWith('#')
}

/** What has been added since; what was there and has grown counts as far as it has. */
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

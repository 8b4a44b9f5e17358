import { createHash } from 'node:crypto'
import type { AttemptLimit } from '#server/features/callers/callers.ts'
import { networkOf } from '#server/platform/http/limits/network.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, deployment, type Table } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'

const hourInSeconds = 3600
const highestLimit = 1000
/** [Note: Tries are counted too] How many failed tries are allowed per allowed failed session. */
const triesForEachSession = 3

/**
 * Counts failed sessions, and failed tries within sessions, per link, external ID and address in an account. The counts are
 * in the store, so they apply across processes. An account's own limit overrides the deployment's. Exceeding a limit blocks
 * the next opening, but never interrupts a visit.
 */
export interface Attempts {
  /** @throws {Problem} 429 if one of the keys is over its limit */
  check(keys: readonly string[], own: AttemptLimit): Promise<void>
  noteFailure(keys: readonly string[], own: AttemptLimit): Promise<void>
  /** Counts a judged try that failed, whether or not another try follows. */
  noteTry(keys: readonly string[], own: AttemptLimit): Promise<void>
  /** The times at which an external ID's sessions and tries failed within the window, in milliseconds since 1970. */
  ofPerson(accountId: string, externalId: string): Promise<{ sessions: number[]; tries: number[] }>
  /** Erases an external ID's counts. */
  forget(accountId: string, externalId: string): Promise<void>
}

/**
 * The keys that count a session's failures. An IPv6 address is reduced to its /64, as everywhere. Keys are digests that do
 * not identify a person. Sessions created by an integrator have neither a link nor a visitor address.
 */
export function attemptKeys(
  accountId: string,
  subject: { link?: string; externalId: string | null; address?: string },
): string[] {
  const keys: string[] = []
  if (subject.link !== undefined) keys.push(`link|${accountId}|${subject.link}`)
  if (subject.address !== undefined) keys.push(`address|${accountId}|${networkOf(subject.address)}`)
  if (subject.externalId !== null) keys.push(externalKey(accountId, subject.externalId))
  return keys.map(digestOf)
}

/** An external ID's key. */
export function personKey(accountId: string, externalId: string): string {
  return digestOf(externalKey(accountId, externalId))
}

function externalKey(accountId: string, externalId: string): string {
  return `external|${accountId}|${externalId}`
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

export function createAttempts(
  store: Store,
  deploymentLimit: number | undefined,
  now: Clock,
  windowInSeconds: number = hourInSeconds,
): Attempts {
  const sessions = createTable<number[]>(store, 'attempt')
  const tries = createTable<number[]>(store, 'attempt-try')
  const limitOf = (own: AttemptLimit) => (own === null ? deploymentLimit : own === 'off' ? undefined : own)
  const recent = (times: readonly number[]) => times.filter((time) => time > now() - windowInSeconds * 1000)

  async function tryToNote(table: Table<number[]>, key: string): Promise<true | undefined> {
    const before = await table.read(deployment, key)
    const times = [...recent(before?.value ?? []), now()].slice(-highestLimit * triesForEachSession)
    const write = table.write(deployment, key, times, windowInSeconds)
    return (await store.commit([write], [before?.guard ?? table.absent(deployment, key)])) || undefined
  }

  async function note(table: Table<number[]>, keys: readonly string[], own: AttemptLimit): Promise<void> {
    if (limitOf(own) === undefined) return
    for (const key of keys)
      await retryOnConflict(
        () => tryToNote(table, key),
        () => new Error('A failed session could not be counted'),
      )
  }

  /** @throws {Problem} 429 */
  async function refuse(table: Table<number[]>, key: string, limit: number): Promise<void> {
    const times = recent((await table.get(deployment, key)) ?? [])
    refuseTooMany(times, { limit, windowInSeconds }, now())
  }

  return {
    async check(keys, own) {
      const limit = limitOf(own)
      if (limit === undefined) return
      for (const key of keys) {
        await refuse(sessions, key, limit)
        await refuse(tries, key, limit * triesForEachSession)
      }
    },
    noteFailure: (keys, own) => note(sessions, keys, own),
    noteTry: (keys, own) => note(tries, keys, own),
    async ofPerson(accountId, externalId) {
      const key = personKey(accountId, externalId)
      const times = async (table: Table<number[]>) => recent((await table.get(deployment, key)) ?? [])
      return { sessions: await times(sessions), tries: await times(tries) }
    },
    async forget(accountId, externalId) {
      const key = personKey(accountId, externalId)
      await store.commit(
        [sessions, tries].map((table) => table.write(deployment, key, undefined)),
        [],
      )
    },
  }
}

/** The allowed number of failures within a period. */
interface Policy {
  readonly limit: number
  readonly windowInSeconds: number
}

/** After too many failures, refuses until the oldest counted one expires. @throws {Problem} 429 */
export function refuseTooMany(times: readonly number[], policy: Policy, now: number): void {
  const { limit, windowInSeconds } = policy
  if (times.length < limit) return
  const freeAt = times.at(-limit)! + windowInSeconds * 1000
  const resetsInSeconds = Math.max(1, Math.ceil((freeAt - now) / 1000))
  throw new Problem('too_many_requests', 'Too many checks have failed. Try again later.', {
    retryAfterInSeconds: resetsInSeconds,
    limitUsage: { ...policy, policy: 'attempts', left: 0, resetsInSeconds },
  })
}

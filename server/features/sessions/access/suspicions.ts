import { mostOtherActions } from '#models/rules/challenge/progress.ts'
import { mostReported } from '#models/rules/liveness/earlier/resemblance.ts'
import { failsByCue } from '#models/rules/second-try.ts'
import type { Verdict } from '#models/rules/verdict.ts'
import type { EarlierSuspicion, SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { personKey, refuseTooMany } from './attempts.ts'

/** A session that ended as a forgery would. */
interface SuspectedSession {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly sessionId: string
}

/** How many of the latest sessions are remembered under a key. */
const mostRemembered = 100
const windowInSeconds = 3600

/**
 * Remembers sessions that ended with a broken cue, or without the evidence that our page always sends, per link, external
 * ID and address. They are in the store, so this works across processes. The keys come from `attemptKeys`.
 */
export interface Suspicions {
  /** @throws {Problem} 429 if one of the keys is over its limit; do not pass keys that many people share */
  check(keys: readonly string[]): Promise<void>
  /** Sessions suspected before this one, for operators; empty if this one is not suspected. */
  before(ending: SessionEnding): Promise<readonly EarlierSuspicion[]>
  /** Remembers the session if it is suspected. */
  note(ending: SessionEnding): Promise<void>
  /** The times at which an external ID's sessions were suspected within the hour, in milliseconds since 1970. */
  ofPerson(accountId: string, externalId: string): Promise<number[]>
  forget(accountId: string, externalId: string): Promise<void>
}

/** How a session ended. */
export interface SessionEnding {
  readonly record: SessionRecord
  readonly verdict: Verdict
  readonly state: 'Completed' | 'Expired'
}

/** `limit` is how many suspected sessions per hour block a link and an external ID; undefined if they are only reported. */
export function createSuspicions(store: Store, limit: number | undefined, now: Clock): Suspicions {
  const table = createTable<SuspectedSession[]>(store, 'attempt-suspicion')
  const since = () => now() - windowInSeconds * 1000
  const recent = (all: readonly SuspectedSession[]) => all.filter(({ at }) => at > since())
  const under = async (key: string) => recent((await table.get(deployment, key)) ?? [])

  async function tryToNote(key: string, sessionId: string): Promise<true | undefined> {
    const read = await table.read(deployment, key)
    const others = recent(read?.value ?? []).filter((one) => one.sessionId !== sessionId)
    const all = [...others, { at: now(), sessionId }].slice(-mostRemembered)
    const write = table.write(deployment, key, all, windowInSeconds)
    return (await store.commit([write], [read?.guard ?? table.absent(deployment, key)])) || undefined
  }

  return {
    async check(keys) {
      if (limit === undefined) return
      for (const key of keys) {
        const times = (await under(key)).map(({ at }) => at)
        refuseTooMany(times, { limit, windowInSeconds }, now())
      }
    },
    async before(ending) {
      if (!isSuspected(ending)) return []
      const { attemptKeys, sessionId: own } = ending.record
      const found = (await Promise.all(attemptKeys.map(under))).flat().sort((a, b) => b.at - a.at)
      const ids = [...new Set(found.map(({ sessionId }) => sessionId))].filter((id) => id !== own)
      return ids.slice(0, mostReported).map((sessionId) => ({ kind: 'forgerySuspected', sessionId }))
    },
    async note(ending) {
      if (!isSuspected(ending)) return
      const { attemptKeys, sessionId } = ending.record
      for (const key of attemptKeys)
        await retryOnConflict(
          () => tryToNote(key, sessionId),
          () => new Error('A suspected session could not be noted'),
        )
    },
    ofPerson: async (accountId, externalId) =>
      (await under(personKey(accountId, externalId))).map(({ at }) => at),
    async forget(accountId, externalId) {
      await store.commit([table.write(deployment, personKey(accountId, externalId), undefined)], [])
    },
  }
}

/**
 * [Note: Left is ended too] Closing the page when another try is offered, or reporting a missing camera at that point, gives
 * the person the same information as taking the try.
 */
function isSuspected({ record, verdict, state }: SessionEnding): boolean {
  const { before, test } = record
  if (test !== undefined) return false
  const wasSuspect =
    before !== undefined && (before.standing.isCueBroken === true || speaksOfForgery(before.verdict, record))
  if (state === 'Expired') return wasSuspect
  return verdict.reasons.length > 0 && (wasSuspect || speaksOfForgery(verdict, record))
}

/** [Note: Who cannot turn] A person who reported twice being unable to turn the head fails for lack of evidence, without suspicion. */
function speaksOfForgery(verdict: Verdict, { progress }: SessionRecord): boolean {
  const mayBeUnable = progress.otherActions >= mostOtherActions
  return failsByCue(verdict) || (verdict.reasons.includes('evidenceMissing') && !mayBeUnable)
}

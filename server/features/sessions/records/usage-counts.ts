import { countOf } from '#server/platform/store/counts.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import {
  isVerdict,
  leavingReasons,
  type SessionOutcomeName,
} from '#shared/contract/sessions/session-ending.ts'
import { type UsageInterval, usageInDays } from '#shared/contract/sessions/session-usage.ts'
import { milestonesOf, verdictOf } from './milestones.ts'
import type { SessionRecord } from './session-record.ts'
import { kindFrom, kindOf, kindText, type VisitKind } from './visit-kind.ts'

const keptInSeconds = usageInDays * 24 * 3600
/** The key for sessions without a verification. */
const noVerification = '-'
const hourInMilliseconds = 3600 * 1000

export const lengthOf: Readonly<Record<UsageInterval, number>> = {
  hour: hourInMilliseconds,
  day: 24 * hourInMilliseconds,
}

/** A counted name: `states.opened`, `reasons.noFace`, `seconds.42`. */
export interface UsageCount {
  /** When the hour or the day began, in milliseconds since 1970. */
  readonly from: number
  readonly verificationId: string | null
  /** The visits' device, browser and source; absent from the total counts. */
  readonly kind?: VisitKind
  readonly what: string
  readonly which: string
  readonly count: number
}

/**
 * Session counts by hour and by day.
 * [Note: Counts name nobody] They outlive the sessions, and are incremented without conflicts in the commits that change sessions.
 * [Note: A visit is counted where it began] A session is always counted in the hour and the day in which it was opened, and reaching a
 * state implies the earlier ones, so a funnel step never exceeds the one above it.
 */
export interface UsageCounts {
  /** The writes for a commit that changes a session; `before` is undefined for a new one. */
  writes(before: SessionRecord | undefined, after: SessionRecord): Write[]
  /** The counts for the intervals that begin within [from, to), in order; split by visit kind if `isSplit` is true. */
  list(accountId: string, range: CountedRange): AsyncIterable<UsageCount>
}

export interface CountedRange {
  readonly interval: UsageInterval
  /** Milliseconds since 1970. */
  readonly from: number
  readonly to: number
  readonly isSplit: boolean
}

/** [Note: Counted twice] Once in total and once by visit kind, so that totals need few reads, as before kinds existed. */
function prefixOf(
  accountId: string,
  { interval, isSplit }: Pick<CountedRange, 'interval' | 'isSplit'>,
): string {
  return `session-count/${accountId}/${interval}${isSplit ? '-by-kind' : ''}/`
}

/** A count's key, which sorts by time; `at` is when the hour or the day begins. */
export function countKey(
  accountId: string,
  counted: {
    readonly at: number
    readonly interval: UsageInterval
    readonly verificationId: string
    readonly name: string
    readonly kind?: VisitKind
  },
): string {
  const { at, interval, verificationId, name, kind } = counted
  const place = `${prefixOf(accountId, { interval, isSplit: kind !== undefined })}${stamp(at)}/${verificationId}`
  return kind === undefined ? `${place}/${name}` : `${place}/${kindText(kind)}/${name}`
}

export function createUsageCounts(store: Store): UsageCounts {
  return {
    writes(before, after) {
      const { accountId, created } = after
      const verificationId = after.verificationId ?? noVerification
      const changes = [...changesInAll(before, after), ...changesOfKinds(before, after)]
      return (['hour', 'day'] as const).flatMap((interval) =>
        changes.map(({ more, ...counted }): Write => {
          const at = begin(created, interval)
          const key = countKey(accountId, { at, interval, verificationId, ...counted })
          return { kind: 'add', key, more, expiresInSeconds: keptInSeconds }
        }),
      )
    },
    async *list(accountId, range) {
      const prefix = prefixOf(accountId, range)
      for await (const { key, value } of store.list(prefix, prefix + stamp(range.from))) {
        const counted = countedFrom(key.slice(prefix.length), range.isSplit)
        if (counted.from >= range.to) return
        yield { ...counted, count: countOf(value) }
      }
    },
  }
}

function countedFrom(text: string, isSplit: boolean): Omit<UsageCount, 'count'> {
  const parts = text.split('/')
  const [begun, verificationId] = parts
  const [what, which] = parts.slice(-2)
  return {
    from: Number(begun),
    verificationId: verificationId === noVerification ? null : verificationId!,
    ...(isSplit && { kind: kindFrom(parts[2]!) }),
    what: what!,
    which: which!,
  }
}

/** The beginning of the hour or the day, in UTC. */
export function begin(time: number, interval: UsageInterval): number {
  return Math.floor(time / lengthOf[interval]) * lengthOf[interval]
}

/** Formatted so that keys sort by time. */
function stamp(time: number): string {
  return String(time).padStart(15, '0')
}

interface CountChange {
  readonly name: string
  readonly kind?: VisitKind
  readonly more: number
}

function changesInAll(before: SessionRecord | undefined, after: SessionRecord): CountChange[] {
  const known = before === undefined ? [] : countedOf(before)
  return countedOf(after)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, more: 1 }))
}

/** [Note: A visit has one kind] Its counts move if its kind changes, for example when the visit continues on a phone. */
function changesOfKinds(before: SessionRecord | undefined, after: SessionRecord): CountChange[] {
  const kind = kindOf(after)
  if (before === undefined) return countedOf(after).map((name) => ({ name: coarse(name), kind, more: 1 }))
  const former = kindOf(before)
  if (kindText(former) === kindText(kind))
    return changesInAll(before, after).map((change) => ({ ...change, name: coarse(change.name), kind }))
  return [
    ...countedOf(before).map((name) => ({ name: coarse(name), kind: former, more: -1 })),
    ...countedOf(after).map((name) => ({ name: coarse(name), kind, more: 1 })),
  ]
}

/** All the names that a session counts under. */
function countedOf(record: SessionRecord): string[] {
  const states = [`states/opened`, ...milestonesOf(record).map((state) => `states/${state}`)]
  return [...states, `sources/${record.source}`, ...(record.outcome === null ? [] : endOf(record))]
}

function endOf(record: SessionRecord): string[] {
  const { outcome, source, created, completedAt } = record
  const { verificationResult, verificationFailedReasons, assurance = 'none' } = outcome!.result
  const { outcome: end } = verdictOf(record)
  const isVisit = isVerdict(end) && source !== 'kiosk'
  const seconds = Math.round((completedAt! - created) / 1000)
  return [
    `results/${verificationResult}`,
    ...verificationFailedReasons.map((reason) => `reasons/${reason}`),
    `assurances/${assurance}`,
    ...afterLooking(end, verificationFailedReasons),
    ...(isVisit ? [`seconds/${seconds}`] : []),
  ]
}

/**
 * [Note: Only what differs is counted] Outcomes follow from results and reasons, except for sessions that ended for a leaving
 * reason after a picture had been judged. Counts of earlier releases have none of these, so an hour may contain both kinds.
 */
function afterLooking(end: SessionOutcomeName, reasons: readonly FailedReason[]): string[] {
  const isLeaving = reasons.some((reason) => leavingReasons.includes(reason))
  return end !== 'left' && isLeaving ? [`judged/${end}`] : []
}

/** Limits how many distinct durations there are: beyond a minute, they are rounded to two, five or fifteen seconds. */
function coarse(name: string): string {
  const [what, which] = name.split('/')
  if (what !== 'seconds') return name
  const seconds = Number(which)
  const step = seconds <= 60 ? 1 : seconds <= 120 ? 2 : seconds <= 300 ? 5 : 15
  return `seconds/${Math.round(seconds / step) * step}`
}

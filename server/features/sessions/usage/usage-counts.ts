import { setImmediate as letOthersIn } from 'node:timers/promises'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { countOf } from '#server/platform/store/counts.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { type UsageInterval, usageInDays } from '#shared/contract/sessions/session-usage.ts'

const keptInSeconds = usageInDays * 24 * 3600
/** Where sessions are counted that stand for themselves. */
const noVerification = '-'
const hourInMilliseconds = 3600 * 1000
/** A year of hours is a million counts: [Note: Long lists let others in] after so many of them. */
const readAtOnce = 1000

export const lengthOf: Readonly<Record<UsageInterval, number>> = {
  hour: hourInMilliseconds,
  day: 24 * hourInMilliseconds,
}

/** What is counted: `states.opened`, `reasons.noFace`, `seconds.42`. */
export interface Counted {
  /** Milliseconds since 1970: when the hour or the day began. */
  readonly from: number
  readonly verificationId: string
  readonly what: string
  readonly which: string
  readonly count: number
}

/**
 * Counts of sessions by hour and by day. [Note: Counts name nobody] They outlive the sessions that they were made of, and
 * grow in the very commits that change these; none waits for another.
 */
export interface UsageCounts {
  /** For the commit that changes a session; `before` is undefined where it begins. */
  writes(before: SessionRecord | undefined, after: SessionRecord): Write[]
  /** What was counted in the intervals that begin within [from, to), in their order. */
  list(accountId: string, interval: UsageInterval, from: number, to: number): AsyncIterable<Counted>
}

function prefixOf(accountId: string, interval: UsageInterval): string {
  return `session-count/${accountId}/${interval}/`
}

/** Where the count of a name stands, in the order of times; `at` is when the hour or the day begins. */
export function countKey(
  accountId: string,
  counted: {
    readonly at: number
    readonly interval: UsageInterval
    readonly verificationId: string
    readonly name: string
  },
): string {
  const { at, interval, verificationId, name } = counted
  return `${prefixOf(accountId, interval)}${stamp(at)}/${verificationId}/${name}`
}

export function createUsageCounts(store: Store, now: Clock): UsageCounts {
  return {
    writes(before, after) {
      const at = now()
      const { accountId, verificationId } = after
      const names = countedOf(before, after)
      return (['hour', 'day'] as const).flatMap((interval) => {
        return names.map(
          (name): Write => ({
            key: countKey(accountId, {
              at: begin(at, interval),
              interval,
              verificationId: verificationId ?? noVerification,
              name,
            }),
            value: undefined,
            add: 1,
            expiresInSeconds: keptInSeconds,
          }),
        )
      })
    },
    async *list(accountId, interval, from, to) {
      const prefix = prefixOf(accountId, interval)
      let read = 0
      for await (const { key, value } of store.list(prefix, prefix + stamp(from))) {
        const [begun, verificationId, what, which] = key.slice(prefix.length).split('/') as string[]
        if (Number(begun) >= to) return
        if (++read % readAtOnce === 0) await letOthersIn()
        yield {
          from: Number(begun),
          verificationId: verificationId!,
          what: what!,
          which: which!,
          count: countOf(value),
        }
      }
    },
  }
}

/** When the hour or the day of a time began, in UTC. */
export function begin(time: number, interval: UsageInterval): number {
  return Math.floor(time / lengthOf[interval]) * lengthOf[interval]
}

/** So that the order of keys is that of times. */
function stamp(time: number): string {
  return String(time).padStart(15, '0')
}

/** What a change of a session adds one to. */
function countedOf(before: SessionRecord | undefined, after: SessionRecord): string[] {
  const reached = after.reached.filter((state) => !before?.reached.includes(state))
  const begun = before === undefined ? ['states/opened', `sources/${after.source}`] : []
  const isEnded = (before?.outcome ?? null) === null && after.outcome !== null
  return [...begun, ...reached.map((state) => `states/${state}`), ...(isEnded ? endOf(after) : [])]
}

function endOf({ outcome, state, source, created, completedAt }: SessionRecord): string[] {
  const { verificationResult, verificationFailedReasons, assurance = 'none' } = outcome!.result
  const isVisit = state === 'Completed' && source !== 'kiosk'
  const seconds = Math.round((completedAt! - created) / 1000)
  return [
    `results/${verificationResult}`,
    ...verificationFailedReasons.map((reason) => `reasons/${reason}`),
    `assurances/${assurance}`,
    ...(isVisit ? [`seconds/${seconds}`] : []),
  ]
}

import {
  type getUsage,
  type UsageCounts,
  type UsageInterval,
  usageInDays,
} from '#shared/contract/sessions/session-usage.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { type Rate, rateOf } from './wilson.ts'

export const ranges = ['today', 'days7', 'days30'] as const
/** Whole UTC days, as `YYYY-MM-DD`; both ends are included. */
export interface OwnDays {
  readonly from: string
  readonly to: string
}
export type Range = (typeof ranges)[number] | OwnDays

const dayShape = /^\d{4}-\d\d-\d\d$/
const dayMilliseconds = 24 * 3600 * 1000

/** Reads the range from an address: a named one, or any days. Seven days if neither fits. */
export function readRange({ range, from = '', to = '' }: Readonly<Record<string, string>>): Range {
  const isOwn =
    dayShape.test(from) &&
    dayShape.test(to) &&
    from <= to &&
    !Number.isNaN(Date.parse(from)) &&
    !Number.isNaN(Date.parse(to))
  if (isOwn && Date.parse(to) - Date.parse(from) < usageInDays * dayMilliseconds) return { from, to }
  return ranges.find((one) => one === range) ?? 'days7'
}

const hourMilliseconds = 3600 * 1000
const daysOf = { days7: 7, days30: 30 } as const

export type Usage = ResultOf<typeof getUsage>

/**
 * The query for get-usage. [Note: Usage is counted by UTC] Today's hours begin at the viewer's midnight. Longer ranges consist of UTC days
 * and end with today; a range that started at another time of day would include one day too many.
 */
export function usageQuery(range: Range, now: Date): { from: string; to: string; interval: UsageInterval } {
  if (typeof range === 'object') {
    const end = Math.min(Date.parse(range.to) + dayMilliseconds, now.getTime() + 1000)
    const from = new Date(range.from).toISOString()
    return { from, to: new Date(Math.max(end, Date.parse(from) + 1)).toISOString(), interval: 'day' }
  }
  const from = range === 'today' ? firstHour(now) : firstDay(now, daysOf[range])
  return {
    from: new Date(from).toISOString(),
    to: new Date(now.getTime() + 1000).toISOString(),
    interval: range === 'today' ? 'hour' : 'day',
  }
}

/** The same length of time before a query's. */
export function queryBefore<T extends { readonly from: string; readonly to: string }>(query: T): T {
  const [from, to] = [Date.parse(query.from), Date.parse(query.to)]
  const whole = Math.ceil((to - from) / hourMilliseconds) * hourMilliseconds
  return { ...query, from: new Date(from - whole).toISOString(), to: query.from }
}

/** If the viewer's midnight falls within a UTC hour, that hour counts as yesterday's and is left out, unless it is the only one. */
function firstHour(now: Date): number {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const whole = Math.ceil(midnight / hourMilliseconds) * hourMilliseconds
  return whole > now.getTime() ? midnight : whole
}

function firstDay(now: Date, days: number): number {
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - (days - 1))
}

/** Totals over all intervals in a range. */
export interface Figures {
  /** When the first interval starts, as ISO 8601; undefined if there is none. */
  readonly since: string | undefined
  readonly states: UsageCounts['states']
  readonly passed: number
  readonly failed: number
  readonly left: number
  readonly expired: number
  readonly durations: Usage['durations']
  /** The share of decided sessions that passed; null if no session was decided. */
  readonly passRate: Rate | null
  /** Most frequent first. */
  readonly reasons: readonly (readonly [reason: keyof UsageCounts['reasons'], count: number])[]
}

export function figuresOf({ intervals, outcomes, durations }: Usage): Figures {
  const sum = (pick: (one: UsageCounts) => number) => intervals.reduce((total, one) => total + pick(one), 0)
  const names = Object.keys(intervals[0]?.reasons ?? {}) as (keyof UsageCounts['reasons'])[]
  const reasons = names
    .map((name) => [name, sum((one) => one.reasons[name])] as const)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
  return {
    ...outcomes,
    since: intervals[0]?.from,
    states: {
      opened: sum(({ states }) => states.opened),
      consented: sum(({ states }) => states.consented),
      firstPicture: sum(({ states }) => states.firstPicture),
      submitted: sum(({ states }) => states.submitted),
    },
    durations,
    passRate: rateOf(outcomes.passed, outcomes.passed + outcomes.failed),
    reasons,
  }
}

import type { getUsage, UsageCounts, UsageInterval } from '#shared/contract/sessions/session-usage.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { type Rate, rateOf } from './wilson.ts'

export const ranges = ['today', 'days7', 'days30'] as const
export type Range = (typeof ranges)[number]

const dayMilliseconds = 24 * 3600 * 1000
const daysOf: Readonly<Record<Range, number>> = { today: 1, days7: 7, days30: 30 }

export type Usage = ResultOf<typeof getUsage>

/** What to ask get-usage for: today by the hour of the viewer's day, else whole days. */
export function usageQuery(range: Range, now: Date): { from: string; to: string; interval: UsageInterval } {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const from = midnight - (daysOf[range] - 1) * dayMilliseconds
  return {
    from: new Date(from).toISOString(),
    to: new Date(now.getTime() + 1000).toISOString(),
    interval: range === 'today' ? 'hour' : 'day',
  }
}

/** The intervals of a time taken together. */
export interface Figures {
  /** When the first interval begins, as ISO 8601; undefined where there is none. */
  readonly since: string | undefined
  readonly states: UsageCounts['states']
  readonly passed: number
  readonly failed: number
  readonly left: number
  readonly durations: Usage['durations']
  /** Of those that were decided; null where nothing was. */
  readonly passRate: Rate | null
  /** The most frequent first. */
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

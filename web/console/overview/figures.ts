import { median } from '#models/rules/median.ts'
import type { UsageCounts, UsageInterval } from '#shared/contract/sessions/session-usage.ts'

export const ranges = ['today', 'days7', 'days30'] as const
export type Range = (typeof ranges)[number]

const dayMilliseconds = 24 * 3600 * 1000
const daysOf: Readonly<Record<Range, number>> = { today: 1, days7: 7, days30: 30 }

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
  readonly opened: number
  readonly consented: number
  readonly firstPicture: number
  readonly submitted: number
  readonly passed: number
  readonly failed: number
  /** 0 to 1, or null where nothing was decided. */
  readonly passRate: number | null
  /** The most frequent first. */
  readonly reasons: readonly (readonly [reason: keyof UsageCounts['reasons'], count: number])[]
  /** Of one interval its median; of several the median of theirs, for what is behind them is not known. */
  readonly medianSeconds: number | null
}

export function sumUp(intervals: readonly UsageCounts[]): Figures {
  const sum = (pick: (one: UsageCounts) => number) => intervals.reduce((total, one) => total + pick(one), 0)
  const passed = sum(({ results }) => results.Pass)
  const failed = sum(({ results }) => results.Fail)
  const names = Object.keys(intervals[0]?.reasons ?? {}) as (keyof UsageCounts['reasons'])[]
  const reasons = names
    .map((name) => [name, sum((one) => one.reasons[name])] as const)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
  const medians = intervals.flatMap(({ medianDurationInSeconds: one }) => (one === null ? [] : [one]))
  return {
    opened: sum(({ states }) => states.opened),
    consented: sum(({ states }) => states.consented),
    firstPicture: sum(({ states }) => states.firstPicture),
    submitted: sum(({ states }) => states.submitted),
    passed,
    failed,
    passRate: passed + failed === 0 ? null : passed / (passed + failed),
    reasons,
    medianSeconds: median(medians) ?? null,
  }
}

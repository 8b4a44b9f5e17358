import { countedQuantile } from '#models/rules/median.ts'
import {
  begin,
  lengthOf,
  type UsageCount,
  type UsageCounts,
} from '#server/features/sessions/records/usage-counts.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import { assurances } from '#shared/contract/configuration/check-settings.ts'
import { failedReasons, verificationResults } from '#shared/contract/sessions/session.ts'
import { leavingReasons } from '#shared/contract/sessions/session-ending.ts'
import { sessionSources } from '#shared/contract/sessions/session-list.ts'
import {
  type getUsage,
  type UsageCounts as IntervalCounts,
  type UsageGroup,
  type UsageSplit,
  usageStates,
} from '#shared/contract/sessions/session-usage.ts'
import type { QueryOf, ResultOf } from '#shared/endpoint.ts'

type Query = QueryOf<typeof getUsage>

/** Counts by attribute and value; `seconds` counts visits by duration. */
type Tallies = Map<string, Map<string, number>>

/** Sums an account's counts for a query. */
export async function reportUsage(
  counts: Pick<UsageCounts, 'list'>,
  accountId: string,
  query: Query,
): Promise<ResultOf<typeof getUsage>> {
  const { interval, splitBy } = query
  const [first, to] = [begin(Date.parse(query.from), interval), Date.parse(query.to)]
  const byInterval = new Map<number, Tallies>()
  const byGroup = new Map<string | null, Tallies>()
  const whole: Tallies = new Map()
  const range = { interval, from: first, to, isSplit: isSplit(query) }
  for await (const counted of counts.list(accountId, range)) {
    if (!fits(query, counted)) continue
    tally(talliesOf(byInterval, counted.from), counted)
    tally(whole, counted)
    if (splitBy !== undefined) tally(talliesOf(byGroup, groupOf(splitBy, counted)), counted)
  }
  const intervals: IntervalCounts[] = []
  for (let at = first; at < to; at += lengthOf[interval]) {
    if (loopTurns.isOver()) await loopTurns.next()
    intervals.push({ from: new Date(at).toISOString(), ...reportedCounts(byInterval.get(at) ?? new Map()) })
  }
  const groups = splitBy === undefined ? {} : { groups: [...byGroup].map(reportedGroup).sort(byOpened) }
  return { intervals, ...summaryOf(whole), ...groups }
}

/** Verifications appear in all counts; the other attributes appear only in counts by kind. */
function isSplit({ device, browser, source, splitBy }: Query): boolean {
  return (
    [device, browser, source].some((one) => one !== undefined) ||
    (splitBy ?? 'verification') !== 'verification'
  )
}

function fits(
  { verificationId, device, browser, source }: Query,
  { verificationId: of, kind }: UsageCount,
): boolean {
  return (
    (verificationId === undefined || of === verificationId) &&
    (device === undefined || kind?.device === device) &&
    (browser === undefined || kind?.browser === browser) &&
    (source === undefined || kind?.source === source)
  )
}

function groupOf(splitBy: UsageSplit, { verificationId, kind }: UsageCount): string | null {
  return splitBy === 'verification' ? verificationId : (kind?.[splitBy] ?? null)
}

function talliesOf<K>(found: Map<K, Tallies>, key: K): Tallies {
  const tallies: Tallies = found.get(key) ?? new Map()
  found.set(key, tallies)
  return tallies
}

function tally(tallies: Tallies, { what, which, count }: UsageCount): void {
  const ofWhat = tallies.get(what) ?? new Map<string, number>()
  ofWhat.set(which, (ofWhat.get(which) ?? 0) + count)
  tallies.set(what, ofWhat)
}

function reportedCounts(tallies: Tallies): Omit<IntervalCounts, 'from'> {
  const summary = summaryOf(tallies)
  return {
    states: countsOf(usageStates, tallies.get('states')),
    results: countsOf(verificationResults, tallies.get('results')),
    reasons: countsOf(failedReasons, tallies.get('reasons')),
    sources: countsOf(sessionSources, tallies.get('sources')),
    assurances: countsOf(assurances, tallies.get('assurances')),
    ...summary,
    medianDurationInSeconds: summary.durations.p50,
  }
}

function reportedGroup([value, tallies]: readonly [string | null, Tallies]): UsageGroup {
  return { value, states: countsOf(usageStates, tallies.get('states')), ...summaryOf(tallies) }
}

/** Sorts by number of sessions, highest first, and then by value. Unknown values come last. */
function byOpened(a: UsageGroup, b: UsageGroup): number {
  if (a.states.opened !== b.states.opened) return b.states.opened - a.states.opened
  return (a.value ?? '\uffff') < (b.value ?? '\uffff') ? -1 : 1
}

function summaryOf(tallies: Tallies): Pick<UsageGroup, 'outcomes' | 'durations'> {
  const seconds = [...(tallies.get('seconds') ?? [])]
    .map(([value, count]) => ({ value: Number(value), count }))
    .filter(({ count }) => count > 0)
  const at = (share: number) => countedQuantile(seconds, share) ?? null
  return {
    outcomes: outcomesOf(tallies),
    durations: { p50: at(0.5), p90: at(0.9), p95: at(0.95) },
  }
}

/** [Note: One that leaves has one reason] This makes it possible to derive session outcomes from older counts. */
function outcomesOf(tallies: Tallies): UsageGroup['outcomes'] {
  const results = tallies.get('results')
  const reasons = tallies.get('reasons')
  const judged = tallies.get('judged')
  const expired = judged?.get('expired') ?? 0
  const leaving = leavingReasons.reduce((sum, reason) => sum + (reasons?.get(reason) ?? 0), 0)
  const left = Math.max(0, leaving - expired - (judged?.get('failed') ?? 0))
  const failed = Math.max(0, (results?.get('Fail') ?? 0) - left - expired)
  return { passed: results?.get('Pass') ?? 0, failed, left, expired }
}

function countsOf<const T extends readonly string[]>(words: T, counts: Map<string, number> | undefined) {
  return Object.fromEntries(words.map((word) => [word, counts?.get(word) ?? 0])) as Record<T[number], number>
}

import { countedMedian } from '#models/rules/median.ts'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import { assurances, failedReasons, verificationResults } from '#shared/contract/sessions/session.ts'
import { sessionSources } from '#shared/contract/sessions/session-list.ts'
import {
  type getUsage,
  type UsageCounts as IntervalCounts,
  usageStates,
} from '#shared/contract/sessions/session-usage.ts'
import type { Handler } from '#shared/endpoint.ts'
import { begin, type Counted, lengthOf, type UsageCounts } from './usage-counts.ts'

/** Counts of one hour or day, by what and which; `seconds` is how often a visit took so long. */
type Tallies = Map<string, Map<string, number>>

export function createGetUsage(counts: UsageCounts): Handler<typeof getUsage, AccountCaller> {
  return async ({ query: { interval, verificationId, ...range }, caller: { accountId } }) => {
    const [first, to] = [begin(Date.parse(range.from), interval), Date.parse(range.to)]
    const found = new Map<number, Tallies>()
    for await (const counted of counts.list(accountId, interval, first, to)) {
      if (verificationId !== undefined && counted.verificationId !== verificationId) continue
      tally(found, counted)
    }
    const intervals: IntervalCounts[] = []
    for (let at = first; at < to; at += lengthOf[interval])
      intervals.push({ from: new Date(at).toISOString(), ...reportedCounts(found.get(at) ?? new Map()) })
    return { intervals }
  }
}

function tally(found: Map<number, Tallies>, { from, what, which, count }: Counted): void {
  const tallies: Tallies = found.get(from) ?? new Map()
  const ofWhat = tallies.get(what) ?? new Map<string, number>()
  ofWhat.set(which, (ofWhat.get(which) ?? 0) + count)
  found.set(from, tallies.set(what, ofWhat))
}

function reportedCounts(tallies: Tallies): Omit<IntervalCounts, 'from'> {
  const seconds = [...(tallies.get('seconds') ?? [])].map(([value, count]) => ({
    value: Number(value),
    count,
  }))
  return {
    states: countsOf(usageStates, tallies.get('states')),
    results: countsOf(verificationResults, tallies.get('results')),
    reasons: countsOf(failedReasons, tallies.get('reasons')),
    sources: countsOf(sessionSources, tallies.get('sources')),
    assurances: countsOf(assurances, tallies.get('assurances')),
    medianDurationInSeconds: countedMedian(seconds) ?? null,
  }
}

function countsOf<const T extends readonly string[]>(words: T, counts: Map<string, number> | undefined) {
  return Object.fromEntries(words.map((word) => [word, counts?.get(word) ?? 0])) as Record<T[number], number>
}

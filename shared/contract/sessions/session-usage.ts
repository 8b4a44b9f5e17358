import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody } from '../console/operator-roles.ts'
import { queryTime, timestamp } from '../elements.ts'
import { assurances, failedReasons, verificationResults } from './session.ts'
import { sessionSources } from './session-list.ts'

export const usageIntervals = ['hour', 'day'] as const
export type UsageInterval = (typeof usageIntervals)[number]

/** How far visits came, as the server saw it. */
export const usageStates = ['opened', 'consented', 'firstPicture', 'submitted'] as const

/** How far apart `from` and `to` may be, and how long counts are kept. */
export const usageInDays = 400

const counted = (word: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(`How many: ${word}.`))

/** A count for each of some words. */
function countsOf<const T extends readonly string[]>(words: T, meaning: string) {
  const entries = Object.fromEntries(words.map((word) => [word, counted(word)])) as Record<
    T[number],
    ReturnType<typeof counted>
  >
  return v.pipe(v.object(entries), v.description(meaning))
}

const usageInterval = v.object({
  from: timestamp('When the hour or the day begins, in UTC.'),
  states: countsOf(
    usageStates,
    'Sessions that were opened; whose person had consented, as far as the server could see; whose first picture or step had arrived; that were submitted.',
  ),
  results: countsOf(verificationResults, 'Sessions that were completed or had expired, by their verdict.'),
  reasons: countsOf(failedReasons, 'Reasons of those that failed; a session may have several.'),
  sources: countsOf(sessionSources, 'Sessions that were opened, by how they came to be.'),
  assurances: countsOf(assurances, 'Sessions that were completed or had expired, by their assurance.'),
  medianDurationInSeconds: v.pipe(
    v.nullable(v.number()),
    v.description(
      'The median time from opening to completion, in whole seconds, of visits that were completed; those of kiosks and those that expired are left out. Null where there are none.',
    ),
  ),
})
export type UsageCounts = v.InferOutput<typeof usageInterval>

export const getUsage = endpoint({
  method: 'GET',
  path: '/v1/verification/get-usage',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: everybody,
  query: v.pipe(
    v.object({
      from: queryTime('The hour or day of this time is the first.'),
      to: queryTime('The last interval begins before this time.'),
      interval: v.pipe(v.picklist(usageIntervals), v.description('How long each interval is.')),
      verificationId: v.optional(v.pipe(v.string(), v.description('Only sessions of this verification.'))),
    }),
    v.forward(
      v.check(({ from, to }) => !(Date.parse(from) >= Date.parse(to)), 'Must be later than from.'),
      ['to'],
    ),
    v.forward(
      v.check(
        ({ from, to }) => !(Date.parse(to) - Date.parse(from) > usageInDays * 24 * 3600 * 1000),
        `Must be at most ${usageInDays} days after from.`,
      ),
      ['to'],
    ),
  ),
  result: v.object({
    intervals: v.pipe(
      v.array(usageInterval),
      v.description('Every hour or day, the earliest first, also those in which nothing happened.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Counts sessions by hour or day.',
  description: `Each event is counted in the hour and the day in which it happened, in UTC. Counts name nobody and are kept ${usageInDays} days. An unknown verification has zeros.`,
  example: { query: { from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00Z', interval: 'day' } },
  textVariant: true,
})

export const sessionUsageEndpoints = {
  getUsage,
}

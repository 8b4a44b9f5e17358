import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody } from '../console/operator-roles.ts'
import { nullableText, queryTime, timestamp } from '../elements.ts'
import { assurances, failedReasons, verificationResults } from './session.ts'
import { visitBrowsers, visitDevices } from './session-device.ts'
import { sessionOutcomes } from './session-ending.ts'
import { sessionSources } from './session-list.ts'

export const usageIntervals = ['hour', 'day'] as const
export type UsageInterval = (typeof usageIntervals)[number]

/** How far visits came, as the server saw it. */
export const usageStates = ['opened', 'consented', 'firstPicture', 'submitted'] as const

/** By what counts can be told apart. */
export const usageSplits = ['verification', 'source', 'device', 'browser'] as const
export type UsageSplit = (typeof usageSplits)[number]

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

const states = countsOf(
  usageStates,
  'Sessions that were opened; whose person had consented, as far as the server could see; whose first picture or step had arrived; whose pictures were submitted. None is greater than the one before it, and the last one at least `passed` and `failed` together.',
)

const outcomes = countsOf(
  sessionOutcomes,
  'Sessions that ended, by how: passed; failed; left, which are those that expired or were cancelled, whose person declined, had no camera or took another way.',
)

const seconds = (share: string) =>
  v.pipe(v.nullable(v.number()), v.description(`Within how many seconds ${share} of them were done.`))

const durations = v.pipe(
  v.object({ p50: seconds('half'), p90: seconds('nine in ten'), p95: seconds('19 in 20') }),
  v.description(
    'From opening to completion, of visits that were completed; those of kiosks and those that expired are left out. Null where there are none.',
  ),
)

const usageGroup = v.object({
  value: nullableText(
    'What they have in common; null for what nobody knows, and for sessions without a verification.',
  ),
  states,
  outcomes,
  durations,
})
export type UsageGroup = v.InferOutput<typeof usageGroup>

const usageInterval = v.object({
  from: timestamp('When the hour or the day begins, in UTC.'),
  states,
  results: countsOf(verificationResults, 'Sessions that were completed or had expired, by their verdict.'),
  reasons: countsOf(failedReasons, 'Reasons of those that failed; a session may have several.'),
  sources: countsOf(sessionSources, 'Sessions that were opened, by how they came to be.'),
  assurances: countsOf(assurances, 'Sessions that were completed or had expired, by their assurance.'),
  outcomes,
  durations,
  medianDurationInSeconds: v.pipe(v.nullable(v.number()), v.description('The `p50` of `durations`.')),
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
      source: v.optional(
        v.pipe(v.picklist(sessionSources), v.description('Only sessions that came to be in this way.')),
      ),
      device: v.optional(
        v.pipe(
          v.picklist(visitDevices),
          v.description('Only visits on this kind of device, as its browser says.'),
        ),
      ),
      browser: v.optional(
        v.pipe(v.picklist(visitBrowsers), v.description('Only visits with a browser of this family.')),
      ),
      splitBy: v.optional(
        v.pipe(
          v.picklist(usageSplits),
          v.description('By what the answer tells sessions apart in `groups`.'),
        ),
      ),
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
    outcomes,
    durations,
    groups: v.optional(
      v.pipe(
        v.array(usageGroup),
        v.description('The whole range by `splitBy`, the most sessions first; absent without it.'),
      ),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Counts sessions by hour or day.',
  description: `All of a session is counted in the hour and the day in which it was opened, in UTC. \`outcomes\` and \`durations\` next to \`intervals\` are those of the whole range. What a visit was made with is what its browser calls itself: where a visit goes on on another device, that one counts. Counts by source, device and browser begin with the upgrade that brought them. Counts name nobody and are kept ${usageInDays} days. An unknown verification has zeros.`,
  example: { query: { from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00Z', interval: 'day' } },
  textVariant: true,
})

export const sessionUsageEndpoints = {
  getUsage,
}

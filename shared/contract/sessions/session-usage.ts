import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody } from '../../operator-roles.ts'
import { assurances } from '../configuration/check-settings.ts'
import { nullableText, queryTime, timestamp } from '../elements.ts'
import { failedReasons, verificationResults } from './session.ts'
import { visitBrowsers, visitDevices } from './session-device.ts'
import { endOutcomes } from './session-ending.ts'
import { sessionSources } from './session-list.ts'

export const usageIntervals = ['hour', 'day'] as const
export type UsageInterval = (typeof usageIntervals)[number]

/** A visit's progress, as seen by the server. */
export const usageStates = ['opened', 'consented', 'firstPicture', 'submitted'] as const

/** The properties by which counts can be broken down. */
export const usageSplits = ['verification', 'source', 'device', 'browser'] as const
export type UsageSplit = (typeof usageSplits)[number]

/** The maximum number of days between `from` and `to`, and the number of days for which counts are kept. */
export const usageInDays = 400

const counted = (word: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(`How many: ${word}.`))

function countsOf<const T extends readonly string[]>(words: T, meaning: string) {
  const entries = Object.fromEntries(words.map((word) => [word, counted(word)])) as Record<
    T[number],
    ReturnType<typeof counted>
  >
  return v.pipe(v.object(entries), v.description(meaning))
}

const states = countsOf(
  usageStates,
  'Sessions that were opened; those with consent, as far as the server could see; those whose first picture or step arrived; those whose pictures were submitted. Each is at most the one before it, and the last is at least `passed` plus `failed`.',
)

const outcomes = countsOf(
  endOutcomes,
  'Ended sessions by outcome, as in get-sessions; each is counted once. Hours from before 1.0.0 count sessions that expired after a picture as `left`.',
)

const seconds = (share: string) =>
  v.pipe(v.nullable(v.number()), v.description(`Seconds within which ${share} of them completed.`))

const durations = v.pipe(
  v.object({ p50: seconds('half'), p90: seconds('nine in ten'), p95: seconds('19 in 20') }),
  v.description(
    'From opening to completion, for visits whose pictures were judged, other than those of kiosks. Null if there are none.',
  ),
)

const usageGroup = v.object({
  value: nullableText(
    'Common value of the group; null if it is unknown or the sessions have no verification.',
  ),
  states,
  outcomes,
  durations,
})
export type UsageGroup = v.InferOutput<typeof usageGroup>

const usageInterval = v.object({
  from: timestamp('Start of the hour or day, in UTC.'),
  states,
  results: countsOf(verificationResults, 'Completed and expired sessions by verdict.'),
  reasons: countsOf(failedReasons, 'Reasons of failed sessions; a session may have several.'),
  sources: countsOf(sessionSources, 'Opened sessions by origin.'),
  assurances: countsOf(assurances, 'Completed and expired sessions by assurance.'),
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
      from: queryTime('A time in the first hour or day.'),
      to: queryTime('The last interval begins before this time.'),
      interval: v.pipe(v.picklist(usageIntervals), v.description('Length of each interval.')),
      verificationId: v.optional(v.pipe(v.string(), v.description('Only sessions of this verification.'))),
      source: v.optional(v.pipe(v.picklist(sessionSources), v.description('Only sessions of this origin.'))),
      device: v.optional(
        v.pipe(
          v.picklist(visitDevices),
          v.description('Only visits on this kind of device, according to the browser.'),
        ),
      ),
      browser: v.optional(
        v.pipe(v.picklist(visitBrowsers), v.description('Only visits with a browser of this family.')),
      ),
      splitBy: v.optional(
        v.pipe(v.picklist(usageSplits), v.description('Property by which `groups` splits the sessions.')),
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
      v.description('All hours or days, earliest first, including empty ones.'),
    ),
    outcomes,
    durations,
    groups: v.optional(
      v.pipe(
        v.array(usageGroup),
        v.description('The whole range split by `splitBy`, largest group first; absent without it.'),
      ),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Counts sessions by hour or day.',
  description: `A session is counted entirely in the hour and day in which it was opened, in UTC. \`outcomes\` and \`durations\` next to \`intervals\` cover the whole range. Device and browser are those that the browser reports; if a visit moves to another device, that one counts. Counts by source, device and browser begin with the release that introduced them. Counts contain no personal data and are kept ${usageInDays} days. An unknown verification has zeros.`,
  example: { query: { from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00Z', interval: 'day' } },
  textVariant: true,
})

export const sessionUsageEndpoints = {
  getUsage,
}

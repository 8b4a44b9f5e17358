import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody, owners } from '../../operator-roles.ts'
import { jsonObject, text, timestamp } from '../elements.ts'
import { change } from '../policies.ts'

/** The conditions that need attention, worst first. */
export const attentionKinds = [
  'endpointFailing',
  'storeFull',
  'verificationWeakened',
  'kioskUnseen',
  'collectionOutgrown',
  'reviewsWaiting',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** `many` replaces all further events of an hour. */
export const attentionEventKinds = [...attentionKinds, 'many'] as const

export const attentionStates = ['begun', 'ended'] as const
export const attentionSubjects = [
  'endpoint',
  'store',
  'verification',
  'kiosk',
  'collection',
  'account',
] as const

export const attentionSubject = v.pipe(
  v.object({
    type: v.pipe(v.picklist(attentionSubjects), v.description('What it is about.')),
    id: text('The id of that; `store` for the store.'),
  }),
  v.description('What needs attention. Ids only, never names or addresses.'),
)

const condition = v.object({
  kind: v.pipe(v.picklist(attentionKinds), v.description('The condition.')),
  subject: attentionSubject,
  since: timestamp('Since when the condition holds.'),
  help: text('Path of the page of the documentation that says what to do.'),
})
export type AttentionCondition = v.InferOutput<typeof condition>

/** The limits of an account that sets none. */
export const usualAttentionLimits = {
  endpointAttempts: 5,
  endpointMinutes: 10,
  reviewHours: 24,
  reviewCount: 50,
  storePercent: 80,
  kioskHours: 24,
} as const

function limit(meaning: string, least: number, most: number) {
  return v.pipe(
    v.number(),
    v.integer(),
    v.minValue(least),
    v.maxValue(most),
    v.description(`${meaning}, ${least} to ${most}.`),
  )
}

const limits = {
  endpointAttempts: limit('`endpointFailing` after so many refused attempts in a row', 1, 100),
  endpointMinutes: limit('…over at least this many minutes', 0, 1440),
  reviewHours: limit('`reviewsWaiting` when a failed session has waited this many hours', 1, 168),
  reviewCount: limit('…or when more than this many wait', 1, 10_000),
  storePercent: limit('`storeFull` above this share of a stated limit, in percent', 1, 100),
  kioskHours: limit('`kioskUnseen` after this many hours without contact', 1, 720),
}

const allLimits = v.pipe(
  v.object(limits),
  v.description('The limits of this account, which are the usual ones unless it changed them.'),
)
export type AttentionLimits = v.InferOutput<typeof allLimits>

export const getAttention = endpoint({
  auth: 'key',
  scope: 'configure',
  method: 'GET',
  path: '/v1/account/get-attention',
  console: everybody,
  result: v.object({
    conditions: v.pipe(v.array(condition), v.description('What needs attention now, worst first.')),
    waitingReviews: v.pipe(
      v.number(),
      v.integer(),
      v.description('Number of sessions that failed or have the finding `denied`, and wait for a review.'),
    ),
    limits: allLimits,
  }),
  errors: [401, 403],
  summary: 'Lists what needs attention now.',
  description:
    'The same conditions are sent to endpoints as `AttentionNeeded`: `begun` after a condition has held for 5 minutes, `ended` after it has been gone for 30. Sizes of collections are looked at every 6 hours.',
  example: {},
  textVariant: true,
})

export const updateAttentionLimits = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'PUT',
  path: '/v1/account/update-attention-limits',
  console: owners,
  ...change,
  body: jsonObject(
    Object.fromEntries(Object.entries(limits).map(([name, schema]) => [name, v.optional(schema)])) as {
      readonly [Name in keyof typeof limits]: v.OptionalSchema<(typeof limits)[Name], undefined>
    },
  ),
  result: v.object({ limits: allLimits }),
  errors: [400, 401, 403],
  summary: 'Changes the limits beyond which something needs attention.',
  description: 'Absent members stay unchanged.',
  example: { body: { reviewHours: 48, kioskHours: 4 } },
  textVariant: true,
})

export const confirmAttention = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'POST',
  path: '/v1/account/confirm-attention',
  console: owners,
  ...change,
  body: jsonObject({
    verificationId: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.description('The verification that is meant to be as weak as it is now.'),
    ),
  }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: 'Confirms that a verification is meant to be as weak as it is now.',
  description: 'Ends `verificationWeakened` until the verification is weakened again.',
  example: { body: { verificationId: 'b4a0e0a2-6f5b-4d0e-9a57-0c1f6f2f7f10' } },
  textVariant: true,
})

export const attentionEndpoints = { getAttention, updateAttentionLimits, confirmAttention }

import * as v from 'valibot'
import { flag, isOfCalendar, jsonObject, jsonRecord, text } from '../elements.ts'
import { action, challengeTypes, consent, submittedFrame } from '../sessions/session.ts'
import { trail } from '../sessions/trail.ts'
import { kioskAnswer } from './kiosk-answer.ts'

/**
 * The `typ` of everything that a kiosk and its server sign or seal, so that none of it can pose as another.
 * `plan`: signed by the server; `assertion` and `capture`: signed by the device; `sealed`: around a signed capture.
 */
export const kioskTypes = {
  plan: 'kiosk-plan+jwt',
  assertion: 'kiosk-assertion+jwt',
  capture: 'kiosk-capture+jwt',
  sealed: 'kiosk-capture+jwe',
} as const

/** The `grant_type` of an assertion (RFC 7523). */
export const assertionGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const milliseconds = (meaning: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(meaning))

const wholeNumber = (meaning: string, least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(meaning))

/** A moment that a device names, as ISO 8601 in UTC. */
export function deviceTime(meaning: string) {
  return v.pipe(
    v.string(),
    v.regex(
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/,
      'Must be a time in UTC, such as 2027-01-31T12:00:00Z.',
    ),
    v.check(isOfCalendar, 'Must be an existing date and time.'),
    v.description(meaning),
    v.metadata({ format: 'date-time' }),
  )
}

export const captureId = v.pipe(
  v.string(),
  v.uuid('Must be a UUID.'),
  v.description('The id that the device gave the capture: the same id is answered the same.'),
)

/**
 * The claims of a plan: a challenge that the server drew and signed beforehand, for one visit of one kiosk.
 * `actions` are revealed one at a time and in order: the next one whenever a step begins, also one that repeats a
 * failed step, and whenever the person asks for another action. The first `actionCount` are enough where all goes
 * well; the others are spare.
 */
export const kioskPlan = jsonObject({
  jti: text('The id of the plan.'),
  sub: text('The kiosk that may use it.'),
  iss: text('The server that drew it.'),
  verificationId: text('The verification that it was drawn for.'),
  challengeType: v.picklist(challengeTypes),
  actionCount: wholeNumber('How many actions must be performed.', 1, 3),
  actions: v.pipe(v.array(action), v.minLength(1), v.description('In the order in which they are revealed.')),
  /** [Note: Ours] */
  sizes: v.optional(
    v.pipe(
      v.array(v.number()),
      v.description(
        'The sizes that `comeCloser` asks for, each a step of its own, in times of the size at rest. Absent where any growth does.',
      ),
    ),
  ),
  /** [Note: Ours] */
  turnsAgain: v.optional(
    flag(
      'Until a turn of the head was accepted, and for the first exchange, the next turn of `actions` that was not revealed yet comes before the others. Absent from plans that were drawn before there was this rule.',
    ),
  ),
  timeLimitInSeconds: v.pipe(v.number(), v.description('The time for each action.')),
  iat: v.pipe(v.number(), v.integer()),
  exp: v.pipe(v.number(), v.integer()),
})
export type KioskPlan = v.InferOutput<typeof kioskPlan>

const capturedStep = jsonObject({
  step: wholeNumber('0 before the first action, k for the k-th, counted over repeats too.', 0, 20),
  action: v.pipe(v.nullable(action), v.description('The action asked last in this step; null at step 0.')),
  accepted: flag('What the device made of it: a hint.'),
  startedAt: milliseconds('When the action was shown, or its clock began anew; 0 for step 0.'),
  endedAt: milliseconds(
    'When the pictures of the step were complete. Later ones show the straight look after the last action.',
  ),
  clockRestarts: v.optional(
    wholeNumber('How often the person asked for more time or another action; 0 when absent.', 0, 20),
  ),
  otherActions: v.optional(wholeNumber('How many of these were for another action; 0 when absent.', 0, 2)),
})
export type CapturedStep = v.InferOutput<typeof capturedStep>

/**
 * A capture, as the device signs it (compact JWS, ES256, `typ` capture, `kid` the kioskId) and seals the signed text to
 * the server (compact JWE, ECDH-ES and A256GCM, `typ` sealed, `kid` of the sealing key).
 * Times of steps and frames count from the start of the camera, in milliseconds.
 */
export const kioskCapture = jsonObject({
  captureId,
  kioskId: text('The kiosk that took it.'),
  sequence: wholeNumber('1, 2, 3 … since the pairing; each for one capture.', 1, Number.MAX_SAFE_INTEGER),
  capturedAt: deviceTime("When it was taken, by the device's clock with the known offset applied."),
  clockOffsetInMilliseconds: v.pipe(
    v.number(),
    v.integer(),
    v.description("What was added to the device's clock."),
  ),
  plan: v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(4096))),
    v.description('The plan that was used, as the server signed it; null for a passive capture.'),
  ),
  steps: v.pipe(v.array(capturedStep), v.maxLength(21), v.description('The steps, in order, from step 0.')),
  frames: v.pipe(
    v.array(submittedFrame),
    v.description('The pictures, 1 to 24 of them; none only where consent was not given.'),
  ),
  trail,
  consent,
  answer: kioskAnswer,
  deviceReport: v.optional(
    v.pipe(
      jsonRecord(v.unknown()),
      v.description('What the device found, at most 64 kB. A hint that the verdict never reads.'),
    ),
  ),
})
export type KioskCapture = v.InferOutput<typeof kioskCapture>

import * as v from 'valibot'
import { challengeTypes } from '../configuration/check-settings.ts'
import { flag, isOfCalendar, jsonObject, jsonRecord, text } from '../elements.ts'
import { kioskAnswer } from '../sessions/kiosk-answer.ts'
import { action, consent, submittedFrame } from '../sessions/session.ts'
import { trail } from '../sessions/trail.ts'

/**
 * The `typ` of everything that a kiosk and its server sign or seal, so that one kind cannot be used as another.
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

/** A time reported by a device, as ISO 8601 in UTC. */
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
  v.description('The id that the device assigned to the capture. Repeating an id returns the same answer.'),
)

/**
 * The claims of a plan: a challenge that the server drew and signed in advance, for one visit at one kiosk.
 * `actions` are revealed one at a time and in order: the next one whenever a step begins, including a repeated
 * step, and whenever the person asks for another action. If all goes well, the first `actionCount` are used; the
 * others are spare.
 */
export const kioskPlan = jsonObject({
  jti: text('The id of the plan.'),
  sub: text('The kiosk that may use it.'),
  iss: text('The server that issued it.'),
  verificationId: text('The verification it belongs to.'),
  challengeType: v.picklist(challengeTypes),
  actionCount: wholeNumber('Number of actions to perform.', 1, 3),
  actions: v.pipe(v.array(action), v.minLength(1), v.description('In the order in which they are revealed.')),
  /** [Note: Ours] */
  sizes: v.optional(
    v.pipe(
      v.array(v.number()),
      v.description(
        'The sizes for `comeCloser`, relative to the size at rest, each a separate step. Absent if any growth counts.',
      ),
    ),
  ),
  /** [Note: Ours] */
  turnsAgain: v.optional(
    flag(
      'True if the next unrevealed turn in `actions` comes before other actions, until a turn was accepted and for the first exchange. Absent from plans older than this rule.',
    ),
  ),
  timeLimitInSeconds: v.pipe(v.number(), v.description('Time limit for each action.')),
  iat: v.pipe(v.number(), v.integer()),
  exp: v.pipe(v.number(), v.integer()),
})
export type KioskPlan = v.InferOutput<typeof kioskPlan>

const capturedStep = jsonObject({
  step: wholeNumber('0 before the first action, k for the k-th, counting repeats.', 0, 20),
  action: v.pipe(v.nullable(action), v.description('The last action of this step; null at step 0.')),
  accepted: flag('True if the device accepted it; only a hint.'),
  startedAt: milliseconds('When the action was shown or its time was restarted; 0 for step 0.'),
  endedAt: milliseconds(
    'When the pictures of the step were complete. Later pictures show the straight look after the last action.',
  ),
  clockRestarts: v.optional(
    wholeNumber('How often the person asked for more time or another action; 0 by default.', 0, 20),
  ),
  otherActions: v.optional(wholeNumber('How many of these were for another action; 0 by default.', 0, 2)),
})
export type CapturedStep = v.InferOutput<typeof capturedStep>

/**
 * A capture. The device signs it (compact JWS, ES256, `typ` capture, `kid` the kioskId) and seals the signed text for
 * the server (compact JWE, ECDH-ES and A256GCM, `typ` sealed, `kid` of the sealing key).
 * Times of steps and frames are milliseconds since the camera started.
 */
export const kioskCapture = jsonObject({
  captureId,
  kioskId: text('The kiosk that took it.'),
  sequence: wholeNumber('1, 2, 3 … since the pairing, one for each capture.', 1, Number.MAX_SAFE_INTEGER),
  capturedAt: deviceTime("When it was taken, by the device's clock corrected by the known offset."),
  clockOffsetInMilliseconds: v.pipe(
    v.number(),
    v.integer(),
    v.description("The correction added to the device's clock."),
  ),
  plan: v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(4096))),
    v.description('The plan as the server signed it; null for a passive capture.'),
  ),
  steps: v.pipe(v.array(capturedStep), v.maxLength(21), v.description('The steps, in order, from step 0.')),
  frames: v.pipe(
    v.array(submittedFrame),
    v.description('The pictures, 1 to 24; none only if consent was refused.'),
  ),
  trail,
  consent,
  answer: kioskAnswer,
  deviceReport: v.optional(
    v.pipe(
      jsonRecord(v.unknown()),
      v.description('Findings of the device, at most 64 kB. A hint that the verdict ignores.'),
    ),
  ),
})
export type KioskCapture = v.InferOutput<typeof kioskCapture>

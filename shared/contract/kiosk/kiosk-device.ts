import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { flag, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { withAnyNames } from '../sections.ts'
import { capturePlan, limits, verificationResults } from '../sessions/session.ts'
import { assertionGrant, captureId, deviceTime } from './kiosk-capture.ts'
import { kioskLimits } from './kiosk-limits.ts'

const count = (meaning: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER), v.description(meaning))

const coordinate = (meaning: string) =>
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/, 'Must be 32 bytes in Base64url.'), v.description(meaning))

/** The one value that a member may have, with what it means. */
function always<const T extends string>(value: T, meaning: string) {
  return v.pipe(v.literal(value), v.description(meaning))
}

const curve = {
  kty: always('EC', 'A key on an elliptic curve.'),
  crv: always('P-256', 'The curve.'),
} as const

/** The public half of a device's key. */
const devicePublicKey = v.pipe(
  withAnyNames(
    jsonObject({
      ...curve,
      x: coordinate('The x coordinate.'),
      y: coordinate('The y coordinate.'),
      d: v.optional(
        v.pipe(
          v.never('Must not be sent: the private key never leaves the device.'),
          v.description('Must not be sent: the private key never leaves the device.'),
        ),
      ),
    }),
  ),
  v.description('The public half of the key that the device made, a JWK. Members beyond these are ignored.'),
)
export type DevicePublicKey = Omit<v.InferOutput<typeof devicePublicKey>, 'd'>

const publishedKey = {
  ...curve,
  x: text('The x coordinate.'),
  y: text('The y coordinate.'),
  kid: text('The id of the key.'),
} as const

export const sealingKey = v.pipe(
  v.object({
    ...publishedKey,
    alg: always('ECDH-ES', 'What it agrees keys with.'),
    use: always('enc', 'It is for sealing.'),
  }),
  v.description('The key that captures are sealed to, a JWK.'),
)
export type SealingKey = v.InferOutput<typeof sealingKey>

const planKeys = v.pipe(
  v.array(
    v.object({
      ...publishedKey,
      alg: always('ES256', 'What it signs with.'),
      use: always('sig', 'It is for signing.'),
    }),
  ),
  v.description('The keys that plans are signed with, JWKs.'),
)

const ageRule = v.pipe(
  v.nullable(
    v.variant('type', [
      v.object({
        type: always('ThresholdVerification', 'The estimate is compared with a threshold.'),
        threshold: v.pipe(v.number(), v.description('The age in years that is compared with.')),
        direction: v.pipe(
          v.picklist(['Above', 'Below']),
          v.description('`Above` passes from the threshold on, `Below` under it.'),
        ),
        marginInYears: v.pipe(v.number(), v.description('Years by which the estimate must clear it.')),
      }),
      v.object({
        type: always('RangeVerification', 'The estimate must lie in a range, ends included.'),
        minimum: v.pipe(v.number(), v.description('The lowest age in years that passes.')),
        maximum: v.pipe(v.number(), v.description('The highest age in years that passes.')),
      }),
    ]),
  ),
  v.description('What the estimated age is compared with; null where it is not.'),
)

/** What a kiosk needs to know in order to work on its own. */
export const kioskConfiguration = v.pipe(
  v.object({
    name: text('The name of the kiosk.'),
    locale: nullableText('The language it begins with, or null.'),
    verificationId: text('The verification whose configuration it follows.'),
    capturePlan,
    ageRule,
    emotionPurpose: nullableText('Why expressions are read, to be shown; null where they are not.'),
    failOnMultipleFaces: flag('Several faces in the picture are a Fail.'),
    allowAlternative: flag('A person who cannot perform an action may ask for another one.'),
    allowPassive: flag('Without a plan the kiosk may capture without a challenge.'),
    stepTimeLimitInSeconds: v.pipe(v.number(), v.description('The time for each action.')),
  }),
  v.description('What the kiosk needs to know in order to work on its own.'),
)
export type KioskConfiguration = v.InferOutput<typeof kioskConfiguration>

/** What a kiosk takes along whenever it meets the server. */
const provisions = {
  issuer: text('The `aud` of the assertions that this device signs, and the `iss` of plans.'),
  configuration: kioskConfiguration,
  sealingKey,
  planKeys,
  plans: v.pipe(
    v.array(v.string()),
    v.description(
      `New plans, each a JWS for one visit, ${kioskLimits.planInDays} days long: as many as bring the unused ones to ${kioskLimits.unusedPlans}; none where there is no challenge.`,
    ),
  ),
  utcTime: timestamp("The server's time."),
} as const

export const pairKiosk = endpoint({
  method: 'POST',
  path: '/v1/kiosk/pair',
  auth: 'none',
  inClient: false,
  rate: 'inits',
  leaves: 'wrongCode',
  audit: 'unrecorded',
  body: jsonObject({
    pairingCode: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(64, 'Must have at most 64 characters.'),
      v.description('The code as it was shown or typed: case, gaps and hyphens do not matter.'),
    ),
    publicKey: devicePublicKey,
  }),
  result: v.object({
    kioskId: text('The kiosk that the device is from now on.'),
    name: text('Its name.'),
    ...provisions,
  }),
  errors: [400, 401, 404, 410, 429],
  summary: 'Pairs the device with the kiosk that the code was made for, once.',
  description: `The code stands for a credential. Repeated with the same key within the ${kioskLimits.pairingInMinutes} minutes it answers the same kiosk again, with fresh plans. A code that is unknown is a 401; one that is expired, revoked or used with another key a 410; and five wrong ones of an address in ${kioskLimits.pairingInMinutes} minutes are followed by 429. A deleted verification is a 404 with the code \`verification_not_found\`.`,
  example: {
    body: {
      pairingCode: 'K7M4P-9QXDT',
      publicKey: {
        kty: 'EC',
        crv: 'P-256',
        x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
        y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
      },
    },
  },
  textVariant: true,
})

/** [Note: As OAuth says] A token endpoint ignores parameters that it does not know (RFC 6749, 3.2). */
export const tokenKiosk = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/kiosk/token',
  auth: 'none',
  inClient: false,
  rate: 'inits',
  leaves: 'nothing',
  audit: 'unrecorded',
  body: jsonObject({
    grant_type: v.pipe(v.literal(assertionGrant), v.description('The kind of credential (RFC 7523).')),
    assertion: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(4096, 'Must have at most 4096 characters.'),
      v.description(
        `A JWT that the device's key signed (ES256; header \`typ\` kiosk-assertion+jwt and \`kid\` the kioskId; claims \`iss\` and \`sub\` the kioskId, \`aud\` the issuer, \`iat\`, \`exp\` at most ${kioskLimits.assertionInSeconds} s later, and \`jti\`, good once).`,
      ),
    ),
  }),
  result: v.object({
    access_token: text('The bearer that opens sync and submit, and nothing else.'),
    token_type: always('Bearer', 'How the token is sent.'),
    expires_in: v.pipe(v.number(), v.integer(), v.description('Seconds that the token lasts.')),
    scope: always('kiosk', 'What it may do.'),
  }),
  errors: [400, 401, 403],
  summary: 'Exchanges a signed assertion for a token of the kiosk (RFC 7523).',
  description: `Takes JSON, and a form as clients of OAuth 2.0 send it. An assertion that is not good is a 401; where nothing but the clock is wrong its code is \`clock_drift\`, and the detail and the \`Date\` header tell the server's time. A revoked kiosk gets 403 with the code \`kiosk_revoked\`.`,
  example: {
    body: { grant_type: assertionGrant, assertion: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' },
  },
  takesForm: true,
  textVariant: true,
})

export const syncKiosk = endpoint({
  method: 'POST',
  path: '/v1/kiosk/sync',
  auth: 'kiosk',
  audit: 'unrecorded',
  body: jsonObject({
    clockUtcTime: deviceTime("The time by the device's clock, as it is, without any correction."),
    queued: count('How many captures wait on the device.'),
    storage: v.optional(
      v.pipe(
        jsonObject({
          usedBytes: count('What is stored.'),
          quotaBytes: count('What may be stored.'),
        }),
        v.description('What the device has stored, and may store.'),
      ),
    ),
    unusedPlanCount: count('How many plans are left that have not expired.'),
    lastSequence: count('The sequence of the last capture that was taken; 0 where none was.'),
  }),
  result: v.object(provisions),
  errors: [400, 401, 403, 404],
  summary: 'Brings the kiosk up to date: configuration, keys, plans and time.',
  description:
    'A revoked kiosk gets 403 with the code `kiosk_revoked`, one whose verification was deleted 404 with the code `verification_not_found`.',
  example: {
    body: { clockUtcTime: '2027-01-31T12:00:00.000Z', queued: 3, unusedPlanCount: 180, lastSequence: 20 },
  },
  textVariant: true,
})

export const submitKiosk = endpoint({
  method: 'POST',
  path: '/v1/kiosk/submit',
  auth: 'kiosk',
  audit: 'unrecorded',
  body: jsonObject({
    captureId,
    sealed: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.description('The capture, signed by the device and sealed to the server: a compact JWE.'),
    ),
  }),
  result: v.object({
    captureId: text('The capture.'),
    verificationSessionId: text('The session that the capture became.'),
    verificationResult: v.pipe(v.picklist(verificationResults), v.description("The server's verdict.")),
    differs: flag('The kiosk had answered Pass or Fail on the spot, and the verdict is the other one.'),
  }),
  errors: [400, 401, 403, 404, 409, 413],
  summary: 'Hands in one sealed capture and learns the verdict.',
  description: `The server judges the pictures itself, as those of any session. The same captureId is answered the same for ${kioskLimits.answerInDays} days, and judged once. A capture that cannot be opened, is not signed by this kiosk or is malformed is a 400 with the code \`capture_refused\`; a sequence that another capture used a 409 with the code \`sequence_used\`; a kiosk whose verification was deleted gets 404 with the code \`verification_not_found\`, and a revoked one 403 with the code \`kiosk_revoked\`.`,
  example: {
    body: {
      captureId: '8c1e2b3a-6f5b-4d0e-9a57-0c1f6f2f7f10',
      sealed: 'eyJhbGciOiJFQ0RILUVTIn0..aXY.c2VhbGVk.dGFn',
    },
  },
  bodyLimitInBytes: limits.bodyBytes,
  textVariant: true,
})

export const kioskDeviceEndpoints = {
  pairKiosk,
  tokenKiosk,
  syncKiosk,
  submitKiosk,
}

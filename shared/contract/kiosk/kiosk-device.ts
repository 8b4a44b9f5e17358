import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { outcomeTexts } from '../configuration/kiosk-config.ts'
import { flag, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { withAnyNames } from '../sections.ts'
import { capturePlan, limits, verificationResults } from '../sessions/session.ts'
import { assertionGrant, captureId, deviceTime } from './kiosk-capture.ts'
import { kioskLimits } from './kiosk-limits.ts'

const count = (meaning: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER), v.description(meaning))

const coordinate = (meaning: string) =>
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/, 'Must be 32 bytes in Base64url.'), v.description(meaning))

/** A member with only one allowed value. */
function always<const T extends string>(value: T, meaning: string) {
  return v.pipe(v.literal(value), v.description(meaning))
}

const curve = {
  kty: always('EC', 'A key on an elliptic curve.'),
  crv: always('P-256', 'The curve.'),
} as const

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
  v.description('The public key that the device generated, a JWK. Additional members are ignored.'),
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
    alg: always('ECDH-ES', 'The algorithm for key agreement.'),
    use: always('enc', 'For sealing.'),
  }),
  v.description('The key to which captures are sealed, a JWK.'),
)
export type SealingKey = v.InferOutput<typeof sealingKey>

const planKeys = v.pipe(
  v.array(
    v.object({
      ...publishedKey,
      alg: always('ES256', 'The signature algorithm.'),
      use: always('sig', 'For signing.'),
    }),
  ),
  v.description('The keys that sign plans, JWKs.'),
)

const ageRule = v.pipe(
  v.nullable(
    v.variant('type', [
      v.object({
        type: always('ThresholdVerification', 'The estimate is compared with a threshold.'),
        threshold: v.pipe(v.number(), v.description('The age threshold in years.')),
        direction: v.pipe(
          v.picklist(['Above', 'Below']),
          v.description('`Above` passes ages from the threshold upwards, `Below` passes ages under it.'),
        ),
        marginInYears: v.pipe(
          v.number(),
          v.description('Years by which the estimate must clear the threshold.'),
        ),
      }),
      v.object({
        type: always('RangeVerification', 'The estimate must lie in a range, both ends included.'),
        minimum: v.pipe(v.number(), v.description('The lowest age that passes, in years.')),
        maximum: v.pipe(v.number(), v.description('The highest age that passes, in years.')),
      }),
    ]),
  ),
  v.description('The rule for the estimated age; null if there is none.'),
)

/** The configuration that lets a kiosk work offline. */
export const kioskConfiguration = v.pipe(
  v.object({
    name: text('The name of the kiosk.'),
    locale: nullableText('The initial language, or null.'),
    verificationId: text('The verification that the kiosk uses.'),
    capturePlan,
    ageRule,
    emotionPurpose: nullableText(
      'Why expressions are read, to be shown to the person; null if they are not read.',
    ),
    failOnMultipleFaces: flag('True if a picture with several faces is a Fail.'),
    allowAlternative: flag('True if a person who cannot perform an action may ask for another one.'),
    allowPassive: flag('True if the kiosk may capture without a challenge when it has no plan.'),
    outcomeTexts: v.optional(outcomeTexts),
    stepTimeLimitInSeconds: v.pipe(v.number(), v.description('Time limit for each action.')),
  }),
  v.description('Configuration with which the kiosk works offline.'),
)
export type KioskConfiguration = v.InferOutput<typeof kioskConfiguration>

/** The data that a kiosk receives whenever it reaches the server. */
const provisions = {
  issuer: text('The `aud` of assertions signed by this device, and the `iss` of plans.'),
  configuration: kioskConfiguration,
  sealingKey,
  planKeys,
  plans: v.pipe(
    v.array(v.string()),
    v.description(
      `New plans, each a JWS for one visit, valid for ${kioskLimits.planInDays} days. Brings the number of unused plans to ${kioskLimits.unusedPlans}; empty if there is no challenge.`,
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
      v.description('The code as shown or typed; case, spaces and hyphens are ignored.'),
    ),
    publicKey: devicePublicKey,
  }),
  result: v.object({
    kioskId: text('The kiosk that the device is now paired with.'),
    name: text('Its name.'),
    ...provisions,
  }),
  errors: [400, 401, 404, 410, 429],
  summary: 'Pairs a device with the kiosk of the code. A code works once.',
  description: `The code serves as the credential. Repeating the call with the same key within ${kioskLimits.pairingInMinutes} minutes returns the same kiosk with fresh plans. An unknown code is a 401; one that is expired, revoked or used with another key is a 410. After five wrong codes from an address in ${kioskLimits.pairingInMinutes} minutes the answer is 429. A deleted verification is a 404 with the code \`verification_not_found\`.`,
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

/** [Note: As OAuth says] A token endpoint ignores unknown parameters (RFC 6749, section 3.2). */
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
        `A JWT signed with the device's key (ES256; header \`typ\` kiosk-assertion+jwt and \`kid\` the kioskId; claims \`iss\` and \`sub\` the kioskId, \`aud\` the issuer, \`iat\`, \`exp\` at most ${kioskLimits.assertionInSeconds} s later, and \`jti\`, valid once).`,
      ),
    ),
  }),
  result: v.object({
    access_token: text('A bearer token that is valid for sync and submit only.'),
    token_type: always('Bearer', 'The type of the token.'),
    expires_in: v.pipe(v.number(), v.integer(), v.description('Lifetime of the token in seconds.')),
    scope: always('kiosk', 'The scope of the token.'),
  }),
  errors: [400, 401, 403],
  summary: 'Exchanges a signed assertion for a token of the kiosk (RFC 7523).',
  description: `Accepts JSON, or a form as OAuth 2.0 clients send it. An invalid assertion is a 401. If only the clock is wrong, the code is \`clock_drift\`, and the detail and the \`Date\` header contain the server's time. A revoked kiosk gets 403 with the code \`kiosk_revoked\`.`,
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
    clockUtcTime: deviceTime("The time of the device's clock, uncorrected."),
    queued: count('Number of captures waiting on the device.'),
    storage: v.optional(
      v.pipe(
        jsonObject({
          usedBytes: count('Used storage.'),
          quotaBytes: count('Available storage in total.'),
        }),
        v.description('Used and available storage of the device.'),
      ),
    ),
    unusedPlanCount: count('Number of unused plans that have not expired.'),
    lastSequence: count('The sequence of the last capture; 0 if there was none.'),
  }),
  result: v.object(provisions),
  errors: [400, 401, 403, 404],
  summary: 'Synchronises the kiosk: configuration, keys, plans and time.',
  description:
    'A revoked kiosk gets 403 with the code `kiosk_revoked`; one whose verification was deleted gets 404 with the code `verification_not_found`.',
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
      v.description('The capture, signed by the device and sealed for the server: a compact JWE.'),
    ),
  }),
  result: v.object({
    captureId: text('The capture.'),
    verificationSessionId: text('The session created from the capture.'),
    verificationResult: v.pipe(v.picklist(verificationResults), v.description("The server's verdict.")),
    differs: flag('True if the kiosk had answered Pass or Fail on the spot and the verdict is the opposite.'),
  }),
  errors: [400, 401, 403, 404, 409, 413],
  summary: 'Submits one sealed capture and returns the verdict.',
  description: `The server judges the pictures itself, like those of any session. A captureId is judged once, and repeating it returns the same answer for ${kioskLimits.answerInDays} days. A capture that cannot be opened, is not signed by this kiosk or is malformed is a 400 with the code \`capture_refused\`; a sequence that another capture used is a 409 with the code \`sequence_used\`. A kiosk whose verification was deleted gets 404 with the code \`verification_not_found\`, and a revoked one 403 with the code \`kiosk_revoked\`.`,
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

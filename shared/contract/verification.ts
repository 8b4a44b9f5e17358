import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { addressFault } from '../web-address.ts'
import { asSent, flag, jsonObject, text, timestamp } from './common.ts'
import { challengeTypes } from './session.ts'

/** A configuration is refused beyond this many characters of JSON. [Note: Ours] */
const configMaximum = 64 * 1024
const nameMaximum = 1024

/** Picks one of some words, with what they mean. */
function oneOf<const T extends readonly string[]>(words: T, meaning: string) {
  return v.pipe(v.picklist(words), v.description(meaning))
}

function int32(meaning: string) {
  return v.pipe(
    v.number(),
    v.integer('Must be a whole number.'),
    v.minValue(-(2 ** 31), 'Must be a 32-bit number.'),
    v.maxValue(2 ** 31 - 1, 'Must be a 32-bit number.'),
    v.description(meaning),
  )
}

/** Refuses what `addressFault` finds fault with. */
export const addressRule = v.rawCheck<string>(({ dataset, addIssue }) => {
  const fault = dataset.typed ? addressFault(dataset.value) : undefined
  if (fault !== undefined) addIssue({ message: fault })
})

/** An address that people are sent to, or that events are posted to. */
export function webAddress(meaning: string) {
  return v.pipe(v.string(), addressRule, v.description(meaning))
}

const isGiven = (value: unknown) => value !== undefined && value !== null

const liveness = v.pipe(
  jsonObject({
    type: v.nullish(
      oneOf(
        ['Disabled', 'Verification'],
        'Whether it is checked that a living person is there; Disabled when absent.',
      ),
    ),
    challengeType: v.nullish(
      oneOf(challengeTypes, 'Balanced asks for one action, Advanced for three; Balanced when absent.'),
    ),
    /** [Note: Ours] */
    allowAlternative: v.nullish(
      flag('Whether a person who cannot perform an action may ask for another one; false when absent.'),
    ),
  }),
  v.description('Whether a living person is before the camera.'),
)

const thresholdConfig = jsonObject({
  threshold: v.nullish(int32('The age in years that is compared with.')),
  direction: v.nullish(
    oneOf(['Above', 'Below'], 'Above passes from the threshold on, Below passes under it.'),
  ),
  /** [Note: Ours] */
  marginInYears: v.nullish(
    v.pipe(
      v.number(),
      v.minValue(0, 'Must be at least 0.'),
      v.maxValue(50, 'Must be at most 50.'),
      v.description('Years by which the estimate must clear the threshold; 0 when absent.'),
    ),
  ),
})

const rangeConfig = v.pipe(
  jsonObject({
    minimum: v.nullish(int32('The lowest age in years that passes.')),
    maximum: v.nullish(int32('The highest age in years that passes.')),
  }),
  v.forward(
    v.check(
      ({ minimum, maximum }) => !isGiven(minimum) || !isGiven(maximum) || Number(minimum) <= Number(maximum),
      'Must not be below the minimum.',
    ),
    ['maximum'],
  ),
)

/** [Note: Ours] Who has ages compared says with what: a comparison with nothing would pass or fail everybody. */
const ageVerifier = v.pipe(
  jsonObject({
    type: v.nullish(
      oneOf(
        ['Disabled', 'CalculationOnly', 'ThresholdVerification', 'RangeVerification'],
        'Whether the age is estimated, and what it is compared with; Disabled when absent.',
      ),
    ),
    thresholdConfig: v.nullish(
      v.pipe(thresholdConfig, v.description('The rule of ThresholdVerification, which requires it.')),
    ),
    rangeConfig: v.nullish(
      v.pipe(rangeConfig, v.description('The rule of RangeVerification, which requires it.')),
    ),
  }),
  v.forward(
    v.check(
      ({ type, thresholdConfig: limit }) =>
        type !== 'ThresholdVerification' || (isGiven(limit?.threshold) && isGiven(limit?.direction)),
      'Must give threshold and direction for a ThresholdVerification.',
    ),
    ['thresholdConfig'],
  ),
  v.forward(
    v.check(
      ({ type, rangeConfig: range }) =>
        type !== 'RangeVerification' || (isGiven(range?.minimum) && isGiven(range?.maximum)),
      'Must give minimum and maximum for a RangeVerification.',
    ),
    ['rangeConfig'],
  ),
  v.description('How old the person looks.'),
)

const emotion = v.pipe(
  jsonObject({
    type: v.nullish(
      oneOf(['Disabled', 'CalculationOnly'], 'Whether expressions are read; Disabled when absent.'),
    ),
    purpose: v.nullish(
      v.pipe(
        v.string(),
        v.minLength(1, 'Must not be empty.'),
        v.maxLength(500, 'Must have at most 500 characters.'),
        v.description('Why expressions are needed; shown to the person, and required when they are read.'),
      ),
    ),
  }),
  v.forward(
    v.check(
      (config) => config.type !== 'CalculationOnly' || isGiven(config.purpose),
      'Is required when expressions are read.',
    ),
    ['purpose'],
  ),
  v.description('Which expression the face shows.'),
)

export const faceRecognitionTypes = [
  'Disabled',
  'CalculationOnly',
  'DuplicateVerification',
  'UniqueMatchVerification',
  'MatchVerification',
] as const
export type FaceRecognitionType = (typeof faceRecognitionTypes)[number]

const faceRecognition = jsonObject({
  type: v.nullish(
    oneOf(
      faceRecognitionTypes,
      'CalculationOnly stores the face; DuplicateVerification fails a face that is known; MatchVerification compares with the face of the external id; UniqueMatchVerification also fails a face of another id; Disabled when absent.',
    ),
  ),
})

const gender = jsonObject({
  type: v.nullish(
    oneOf(['Disabled', 'CalculationOnly'], 'Whether the gender is estimated; Disabled when absent.'),
  ),
})

const commonSettings = jsonObject({
  failOnMultipleFacesDetected: v.nullish(
    flag('Whether the verification fails when several faces are in the picture; false when absent.'),
  ),
})

/** What is checked. An absent verifier is Disabled. */
export const verifierConfigs = jsonObject({
  liveness: v.nullish(liveness),
  age: v.nullish(ageVerifier),
  faceRecognition: v.nullish(v.pipe(faceRecognition, v.description('Whether the face is known.'))),
  gender: v.nullish(v.pipe(gender, v.description('Which gender the person appears to have.'))),
  /** [Note: Ours] */
  emotion: v.nullish(emotion),
  commonSettings: v.nullish(v.pipe(commonSettings, v.description('What holds for all verifiers.'))),
})
export type VerifierConfigs = v.InferOutput<typeof verifierConfigs>

const wanted = (what: string) => v.nullish(flag(`Whether the result address carries ${what}.`))

/** Which result parameters come back in the result URL; absent is false. */
export const resultParameterConfig = jsonObject({
  includeSignature: wanted('a signature over its whole query'),
  includeSessionId: wanted('the id of the session'),
  includeFaceId: wanted('the id of the face'),
  includeAge: wanted('the estimated age, in whole years'),
  includeGender: wanted('the estimated gender'),
  includeVerificationResult: wanted('the result of the verification'),
  includeCustomInputParameters: wanted('the custom input parameters'),
  includeLivenessCheckResult: wanted('the result of the liveness check'),
  includeAgeVerificationResult: wanted('the result of the age verification'),
  includeGenderVerificationResult: wanted('the result of the gender verification'),
  includeFaceRecognitionResult: wanted('the result of the face recognition'),
  includeCorrelationId: wanted('the correlation id'),
  includeTotalFaceCount: wanted('the number of faces'),
  includeFailedReason: wanted('the reasons of a failure'),
})
export type ResultFlag = keyof typeof resultParameterConfig.entries
export const resultFlags = Object.keys(resultParameterConfig.entries) as ResultFlag[]

const redirectConfig = jsonObject({
  passedUrl: v.nullish(webAddress('Where a person who passed is sent: https, or http on loopback.')),
  failedUrl: v.nullish(webAddress('Where a person who failed is sent: https, or http on loopback.')),
})

const securityConfig = jsonObject({
  forceSignedInput: v.nullish(flag('Whether links must be signed; true when absent.')),
})

const sessionOverrideConfig = jsonObject({
  allowVerifierOverrides: v.nullish(flag('Whether a session may say which verifiers are on.')),
  allowResultParameterOverrides: v.nullish(flag('Whether a session may say which results come back.')),
  allowRedirectOverrides: v.nullish(flag('Whether a session may lead to other addresses.')),
})

const webhookConfig = jsonObject({
  eventCallbackUrl: v.nullish(
    webAddress('Where VerificationCompleted is posted: https, or http on loopback.'),
  ),
})

/**
 * What a verification checks and how its result comes back. Every section and member may be absent.
 * [Note: As sent] A configuration is read back exactly as it was written, with members that we do not know: they have
 * no effect. A null stands for an absent member. Values of known members are exact.
 */
export const verificationConfig = v.pipe(
  asSent(
    jsonObject({
      verifierConfigs: v.nullish(v.pipe(verifierConfigs, v.description('What is checked.'))),
      redirectConfig: v.nullish(v.pipe(redirectConfig, v.description('Where people are sent afterwards.'))),
      resultParameterConfig: v.nullish(
        v.pipe(resultParameterConfig, v.description('What the result address carries.')),
      ),
      securityConfig: v.nullish(v.pipe(securityConfig, v.description('What links must be like.'))),
      sessionOverrideConfig: v.nullish(
        v.pipe(sessionOverrideConfig, v.description('What a single session may change.')),
      ),
      webhookConfig: v.nullish(v.pipe(webhookConfig, v.description('Who is told of the end of a session.'))),
    }),
  ),
  v.check(
    (config) => JSON.stringify(config).length <= configMaximum,
    `Must have at most ${configMaximum} characters of JSON.`,
  ),
  v.description('What is checked and how the result comes back; every member may be absent.'),
)
export type VerificationConfig = v.InferOutput<typeof verificationConfig>

const overviewEntries = {
  verificationId: text('The identifier, given by the service.'),
  name: text('The name; no two verifications of an account share one.'),
  created: timestamp('When it was created.'),
  lastModified: timestamp('When it was last changed.'),
}

export const verificationOverview = v.object(overviewEntries)
export type VerificationOverview = v.InferOutput<typeof verificationOverview>

export const verificationDetail = v.object({ ...overviewEntries, verificationConfig })
export type VerificationDetail = v.InferOutput<typeof verificationDetail>

const verificationId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The identifier of the verification.'),
)

const name = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.maxLength(nameMaximum, `Must have at most ${nameMaximum} characters.`),
  v.description('A name for people; no two verifications of an account share one.'),
)

const writable = { name, verificationConfig: v.nullish(verificationConfig) }

const exampleConfig = {
  verifierConfigs: {
    liveness: { type: 'Verification', challengeType: 'Balanced' },
    age: { type: 'ThresholdVerification', thresholdConfig: { threshold: 18, direction: 'Above' } },
  },
  redirectConfig: { passedUrl: 'https://shop.example/passed', failedUrl: 'https://shop.example/failed' },
  resultParameterConfig: { includeSignature: true, includeSessionId: true, includeVerificationResult: true },
} as const

export const getVerification = endpoint({
  method: 'GET',
  path: '/v1/verification/get',
  auth: 'key-or-bearer',
  scope: 'configure',
  query: v.object({ verificationId }),
  result: v.object({
    verification: v.pipe(
      verificationDetail,
      v.description('The verification, with its configuration as it was sent.'),
    ),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Returns one verification configuration.',
  example: { query: { verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01' } },
  textVariant: true,
})

export const getAllVerifications = endpoint({
  method: 'GET',
  path: '/v1/verification/get-all',
  auth: 'key-or-bearer',
  scope: 'configure',
  result: v.object({
    verifications: v.pipe(
      v.array(verificationOverview),
      v.description('Every verification of the account, the oldest first.'),
    ),
  }),
  errors: [401, 403],
  summary: 'Lists the verification configurations of the account.',
  example: {},
  textVariant: true,
})

export const createVerification = endpoint({
  method: 'POST',
  path: '/v1/verification/create',
  auth: 'key-or-bearer',
  scope: 'configure',
  body: jsonObject(writable),
  result: v.object({ verificationId: text('The identifier of the new verification.') }),
  errors: [400, 401, 403, 409],
  summary: 'Creates a verification configuration, to be reused across many sessions.',
  description:
    'Answers 409 when a verification of this name exists. The verification has a collection of its own, under its id. Without verificationConfig every verifier is Disabled and links must be signed. Setting eventCallbackUrl needs every scope of the key that webhooks carry.',
  example: { body: { name: 'sign-up', verificationConfig: exampleConfig } },
  textVariant: true,
})

export const createOrUpdateVerification = endpoint({
  method: 'POST',
  path: '/v1/verification/create-or-update',
  auth: 'key-or-bearer',
  scope: 'configure',
  body: jsonObject(writable),
  result: v.object({
    verificationId: text('The identifier of the verification of this name.'),
    wasCreated: flag('True when it was created, false when the existing one of this name was updated.'),
  }),
  errors: [400, 401, 403],
  summary: 'Creates the verification configuration of this name, or replaces the one that exists.',
  description:
    'Afterwards the configuration is the one that was sent, whichever happened: without verificationConfig it is empty.',
  example: { body: { name: 'sign-up', verificationConfig: exampleConfig } },
  textVariant: true,
})

export const updateVerification = endpoint({
  method: 'PUT',
  path: '/v1/verification/update',
  auth: 'key-or-bearer',
  scope: 'configure',
  body: jsonObject({
    verificationId,
    name: v.nullish(name),
    verificationConfig: v.nullish(verificationConfig),
  }),
  result: v.object({ verificationId: text('The identifier of the verification.') }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Changes the name or the configuration of a verification.',
  description:
    'A name or a verificationConfig that is not sent stays as it is; one that is sent replaces the former as a whole. Answers 409 when another verification has the new name; the former name is free afterwards. Sessions that are open already go on as they began.',
  example: {
    body: {
      verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01',
      name: 'sign-up',
      verificationConfig: exampleConfig,
    },
  },
  textVariant: true,
})

export const deleteVerification = endpoint({
  method: 'DELETE',
  path: '/v1/verification/delete',
  auth: 'key-or-bearer',
  scope: 'configure',
  query: v.object({ verificationId }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: 'Deletes a verification configuration.',
  description:
    'Its collection goes with it, and the faces in it. Its name is free afterwards, its links answer 404, and its sessions that are still open end as expired. Results that are there already stay for their 7 days.',
  example: { query: { verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01' } },
  textVariant: true,
})

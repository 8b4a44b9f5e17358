import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { addressFault } from '../web-address.ts'
import { challengeTypes } from './session.ts'

const int32 = v.pipe(
  v.number(),
  v.integer('Must be a whole number.'),
  v.minValue(-(2 ** 31)),
  v.maxValue(2 ** 31 - 1),
)
const age = v.pipe(int32, v.minValue(0, 'Must be at least 0.'), v.maxValue(150, 'Must be at most 150.'))

const address = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? addressFault(dataset.value) : undefined
    if (fault !== undefined) addIssue({ message: fault })
  }),
)

const liveness = v.object({
  type: v.optional(v.picklist(['Disabled', 'Verification'])),
  /** Balanced: one action. Advanced: three. Balanced when absent. */
  challengeType: v.optional(v.picklist(challengeTypes)),
  /** A person who cannot perform an action may ask for another one. [Note: Ours] */
  allowAlternative: v.optional(v.boolean()),
})

const thresholdConfig = v.object({
  threshold: age,
  direction: v.picklist(['Above', 'Below']),
  /** Years by which the estimate must clear the threshold; 0 when absent. [Note: Ours] */
  marginInYears: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(50))),
})

const rangeConfig = v.pipe(
  v.object({ minimum: age, maximum: age }),
  v.forward(
    v.check((range) => range.minimum <= range.maximum, 'Must not be below the minimum.'),
    ['maximum'],
  ),
)

const ageVerifier = v.pipe(
  v.object({
    type: v.optional(
      v.picklist(['Disabled', 'CalculationOnly', 'ThresholdVerification', 'RangeVerification']),
    ),
    thresholdConfig: v.optional(thresholdConfig),
    rangeConfig: v.optional(rangeConfig),
  }),
  v.forward(
    v.check(
      (config) => config.type !== 'ThresholdVerification' || config.thresholdConfig !== undefined,
      'Is required.',
    ),
    ['thresholdConfig'],
  ),
  v.forward(
    v.check(
      (config) => config.type !== 'RangeVerification' || config.rangeConfig !== undefined,
      'Is required.',
    ),
    ['rangeConfig'],
  ),
)

const emotion = v.pipe(
  v.object({
    type: v.optional(v.picklist(['Disabled', 'CalculationOnly'])),
    /** Why it is needed; shown to the person. Required when on. */
    purpose: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(500))),
  }),
  v.forward(
    v.check((config) => config.type !== 'CalculationOnly' || config.purpose !== undefined, 'Is required.'),
    ['purpose'],
  ),
)

export const faceRecognitionTypes = [
  'Disabled',
  'CalculationOnly',
  'DuplicateVerification',
  'UniqueMatchVerification',
  'MatchVerification',
] as const
export type FaceRecognitionType = (typeof faceRecognitionTypes)[number]

export const verifierConfigs = v.object({
  liveness: v.optional(liveness),
  age: v.optional(ageVerifier),
  faceRecognition: v.optional(v.object({ type: v.optional(v.picklist(faceRecognitionTypes)) })),
  gender: v.optional(v.object({ type: v.optional(v.picklist(['Disabled', 'CalculationOnly'])) })),
  /** [Note: Ours] */
  emotion: v.optional(emotion),
  commonSettings: v.optional(v.object({ failOnMultipleFacesDetected: v.optional(v.boolean()) })),
})

const flag = v.optional(v.boolean())

/** Which result parameters come back in the result URL; absent is false. */
export const resultParameterConfig = v.object({
  includeSignature: flag,
  includeSessionId: flag,
  includeFaceId: flag,
  includeAge: flag,
  includeGender: flag,
  includeVerificationResult: flag,
  includeCustomInputParameters: flag,
  includeLivenessCheckResult: flag,
  includeAgeVerificationResult: flag,
  includeGenderVerificationResult: flag,
  includeFaceRecognitionResult: flag,
  includeCorrelationId: flag,
  includeTotalFaceCount: flag,
  includeFailedReason: flag,
})
export type ResultFlag = keyof typeof resultParameterConfig.entries
export const resultFlags = Object.keys(resultParameterConfig.entries) as ResultFlag[]

/**
 * What a verification checks and how its result comes back.
 * [Note: Ours] Unknown members are dropped, as readers of an evolving interface should: they never come back, so a
 * misspelt one shows when the configuration is read. Values of known members are exact.
 */
export const verificationConfig = v.object({
  verifierConfigs: v.optional(verifierConfigs),
  redirectConfig: v.optional(v.object({ passedUrl: v.optional(address), failedUrl: v.optional(address) })),
  resultParameterConfig: v.optional(resultParameterConfig),
  securityConfig: v.optional(v.object({ forceSignedInput: v.optional(v.boolean()) })),
  sessionOverrideConfig: v.optional(
    v.object({
      allowVerifierOverrides: flag,
      allowResultParameterOverrides: flag,
      allowRedirectOverrides: flag,
    }),
  ),
  webhookConfig: v.optional(v.object({ eventCallbackUrl: v.optional(address) })),
})
export type VerificationConfig = v.InferOutput<typeof verificationConfig>

export const verificationDetail = v.object({
  verificationId: v.string(),
  name: v.string(),
  created: v.string(),
  lastModified: v.string(),
  verificationConfig,
})
export type VerificationDetail = v.InferOutput<typeof verificationDetail>

const verificationId = v.pipe(v.string(), v.minLength(1, 'Must not be empty.'))

export const getVerification = endpoint({
  method: 'GET',
  path: '/v1/verification/get',
  auth: 'key-or-bearer',
  scope: 'configure',
  query: v.object({ verificationId }),
  result: v.object({ verification: verificationDetail }),
  errors: [400, 401, 403, 404],
  summary: 'Returns one verification configuration.',
})

export const createVerification = endpoint({
  method: 'POST',
  path: '/v1/verification/create',
  auth: 'key-or-bearer',
  scope: 'configure',
  body: v.object({
    name: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(1024, 'Must have at most 1024 characters.'),
    ),
    verificationConfig: v.optional(verificationConfig, {}),
  }),
  result: v.object({ verificationId: v.string() }),
  errors: [400, 401, 403, 409],
  summary: 'Creates a verification configuration, to be reused across many sessions.',
})

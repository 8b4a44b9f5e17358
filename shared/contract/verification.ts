import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { addressFault } from '../web-address.ts'
import { flag as flagOf, text, timestamp } from './common.ts'
import { challengeTypes } from './session.ts'

const int32 = v.pipe(
  v.number(),
  v.integer('Must be a whole number.'),
  v.minValue(-(2 ** 31)),
  v.maxValue(2 ** 31 - 1),
)
const age = v.pipe(int32, v.minValue(0, 'Must be at least 0.'), v.maxValue(150, 'Must be at most 150.'))

/** Refuses what `addressFault` finds fault with. */
export const addressRule = v.rawCheck<string>(({ dataset, addIssue }) => {
  const fault = dataset.typed ? addressFault(dataset.value) : undefined
  if (fault !== undefined) addIssue({ message: fault })
})

function address(meaning: string) {
  return v.pipe(v.string(), addressRule, v.description(meaning))
}

const liveness = v.pipe(
  v.object({
    type: v.optional(
      v.pipe(v.picklist(['Disabled', 'Verification']), v.description('Disabled when absent.')),
    ),
    challengeType: v.optional(
      v.pipe(
        v.picklist(challengeTypes),
        v.description('Balanced: one action. Advanced: three. Balanced when absent.'),
      ),
    ),
    /** [Note: Ours] */
    allowAlternative: v.optional(
      flagOf('A person who cannot perform an action may ask for another one; false when absent.'),
    ),
  }),
  v.description('Whether a living person is before the camera.'),
)

const thresholdConfig = v.object({
  threshold: v.pipe(age, v.description('The age to compare with.')),
  direction: v.pipe(
    v.picklist(['Above', 'Below']),
    v.description('Above passes from the threshold on, Below before it.'),
  ),
  /** [Note: Ours] */
  marginInYears: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(50),
      v.description('Years by which the estimate must clear the threshold; 0 when absent.'),
    ),
  ),
})

const rangeConfig = v.pipe(
  v.object({
    minimum: v.pipe(age, v.description('The lowest age that passes.')),
    maximum: v.pipe(age, v.description('The highest age that passes.')),
  }),
  v.forward(
    v.check((range) => range.minimum <= range.maximum, 'Must not be below the minimum.'),
    ['maximum'],
  ),
)

const ageVerifier = v.pipe(
  v.object({
    type: v.optional(
      v.pipe(
        v.picklist(['Disabled', 'CalculationOnly', 'ThresholdVerification', 'RangeVerification']),
        v.description('Disabled when absent.'),
      ),
    ),
    thresholdConfig: v.optional(
      v.pipe(thresholdConfig, v.description('The rule of ThresholdVerification, which requires it.')),
    ),
    rangeConfig: v.optional(
      v.pipe(rangeConfig, v.description('The rule of RangeVerification, which requires it.')),
    ),
  }),
  v.forward(
    v.check(
      (config) => config.type !== 'ThresholdVerification' || config.thresholdConfig !== undefined,
      'Is required by ThresholdVerification.',
    ),
    ['thresholdConfig'],
  ),
  v.forward(
    v.check(
      (config) => config.type !== 'RangeVerification' || config.rangeConfig !== undefined,
      'Is required by RangeVerification.',
    ),
    ['rangeConfig'],
  ),
  v.description('How old the person looks.'),
)

const calculationType = v.pipe(
  v.picklist(['Disabled', 'CalculationOnly']),
  v.description('Disabled when absent.'),
)

const emotion = v.pipe(
  v.object({
    type: v.optional(calculationType),
    purpose: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(500),
        v.description('Why it is needed; shown to the person. Required by CalculationOnly.'),
      ),
    ),
  }),
  v.forward(
    v.check(
      (config) => config.type !== 'CalculationOnly' || config.purpose !== undefined,
      'Is required by CalculationOnly.',
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

export const verifierConfigs = v.object({
  liveness: v.optional(liveness),
  age: v.optional(ageVerifier),
  faceRecognition: v.optional(
    v.pipe(
      v.object({
        type: v.optional(
          v.pipe(
            v.picklist(faceRecognitionTypes),
            v.description(
              'CalculationOnly stores the face; DuplicateVerification refuses a known one; UniqueMatchVerification wants one face for each external id and one id for each face; MatchVerification compares with the face of the external id. Disabled when absent.',
            ),
          ),
        ),
      }),
      v.description('Whether the face is known.'),
    ),
  ),
  gender: v.optional(
    v.pipe(
      v.object({ type: v.optional(calculationType) }),
      v.description('Which gender the person appears to have.'),
    ),
  ),
  /** [Note: Ours] */
  emotion: v.optional(emotion),
  commonSettings: v.optional(
    v.pipe(
      v.object({
        failOnMultipleFacesDetected: v.optional(
          flagOf('Fail where a picture shows several faces; false when absent.'),
        ),
      }),
      v.description('What holds for all verifiers.'),
    ),
  ),
})

const resultFlag = (what: string) => v.optional(flagOf(`The result address carries ${what}.`))

/** Which result parameters come back in the result URL; absent is false. */
export const resultParameterConfig = v.object({
  includeSignature: resultFlag('`reSignature`'),
  includeSessionId: resultFlag('`reVerificationSessionId`'),
  includeFaceId: resultFlag('`reFaceId`'),
  includeAge: resultFlag('`reAge`'),
  includeGender: resultFlag('`reGender`'),
  includeVerificationResult: resultFlag('`reVerificationResult`'),
  includeCustomInputParameters: resultFlag('the custom input parameters'),
  includeLivenessCheckResult: resultFlag('`reLivenessResult`'),
  includeAgeVerificationResult: resultFlag('`reAgeVerificationResult`'),
  includeGenderVerificationResult: resultFlag('`reGenderVerificationResult`'),
  includeFaceRecognitionResult: resultFlag('`reFaceRecognitionResult`'),
  includeCorrelationId: resultFlag('`reCorrelationId`'),
  includeTotalFaceCount: resultFlag('`reTotalFaceCount`'),
  includeFailedReason: resultFlag('`reFailedReason`'),
})
export type ResultFlag = keyof typeof resultParameterConfig.entries
export const resultFlags = Object.keys(resultParameterConfig.entries) as ResultFlag[]

/**
 * What a verification checks and how its result comes back.
 * [Note: Ours] Unknown members are dropped, as readers of an evolving interface should: they never come back, so a
 * misspelt one shows when the configuration is read. Values of known members are exact.
 */
export const verificationConfig = v.pipe(
  v.object({
    verifierConfigs: v.optional(v.pipe(verifierConfigs, v.description('What is checked.'))),
    redirectConfig: v.optional(
      v.pipe(
        v.object({
          passedUrl: v.optional(address('Where people go who pass; https (http on loopback).')),
          failedUrl: v.optional(address('Where people go who fail; https (http on loopback).')),
        }),
        v.description('Where people are sent afterwards.'),
      ),
    ),
    resultParameterConfig: v.optional(
      v.pipe(
        resultParameterConfig,
        v.description('What the address carries that people are sent back to; an absent flag is false.'),
      ),
    ),
    securityConfig: v.optional(
      v.pipe(
        v.object({
          forceSignedInput: v.optional(flagOf('Links must be signed; true when absent.')),
        }),
        v.description('Who may open a session.'),
      ),
    ),
    sessionOverrideConfig: v.optional(
      v.pipe(
        v.object({
          allowVerifierOverrides: v.optional(
            flagOf('A session may override which verifiers are enabled; false when absent.'),
          ),
          allowResultParameterOverrides: v.optional(
            flagOf('A session may override the returned result parameters; false when absent.'),
          ),
          allowRedirectOverrides: v.optional(
            flagOf('A session may override where people are sent; false when absent.'),
          ),
        }),
        v.description('What a single session may decide otherwise.'),
      ),
    ),
    webhookConfig: v.optional(
      v.pipe(
        v.object({
          eventCallbackUrl: v.optional(address('Receives VerificationCompleted; https (http on loopback).')),
        }),
        v.description('Who is told when a session is finished.'),
      ),
    ),
  }),
  v.description('What a verification checks and how its result comes back. Absent verifiers are Disabled.'),
)
export type VerificationConfig = v.InferOutput<typeof verificationConfig>

export const verificationDetail = v.object({
  verificationId: text('The id that the service gave it.'),
  name: text('The name, unique in the account.'),
  created: timestamp('When it was created.'),
  lastModified: timestamp('When it was last changed.'),
  verificationConfig,
})
export type VerificationDetail = v.InferOutput<typeof verificationDetail>

const verificationId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The verification.'),
)

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
      v.description('A name that people understand, unique in the account.'),
    ),
    verificationConfig: v.optional(verificationConfig, {}),
  }),
  result: v.object({ verificationId: text('The id of the new verification.') }),
  errors: [400, 401, 403, 409],
  summary: 'Creates a verification configuration, to be reused across many sessions.',
  description: 'A name that is taken is a 409.',
  example: {
    body: {
      name: 'sign-up',
      verificationConfig: {
        verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Balanced' } },
        redirectConfig: {
          passedUrl: 'https://shop.example/welcome',
          failedUrl: 'https://shop.example/sorry',
        },
        resultParameterConfig: { includeSignature: true, includeVerificationResult: true },
      },
    },
  },
})

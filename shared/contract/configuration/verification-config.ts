import * as v from 'valibot'
import { addressFault } from '../../web-address.ts'
import { asSent, flag } from '../elements.ts'
import { section } from '../sections.ts'
import {
  challengeTypes,
  evidenceUses,
  leastAssurances,
  livenessEvidenceRules,
  livenessPolicies,
  mostTries,
} from './check-settings.ts'
import { kioskConfig } from './kiosk-config.ts'
import { referenceVerifier } from './reference-verifier.ts'
import { wordsByLanguage } from './words-by-language.ts'

/** The maximum length of a configuration as JSON, in characters. [Note: Ours] */
const configMaximum = 64 * 1024

/** Picks one of the given words. */
function oneOf<const T extends readonly string[]>(words: T, meaning: string) {
  return v.pipe(v.picklist(words), v.description(meaning))
}

function int32(meaning: string) {
  return v.pipe(
    v.number(),
    v.integer(),
    v.minValue(-(2 ** 31)),
    v.maxValue(2 ** 31 - 1),
    v.description(meaning),
  )
}

/** Rejects addresses that `addressFault` complains about. */
export const addressRule = v.rawCheck<string>(({ dataset, addIssue }) => {
  const fault = dataset.typed ? addressFault(dataset.value) : undefined
  if (fault !== undefined) addIssue({ message: fault })
})

/** An address that people are sent to or that events are posted to. */
export function webAddress(meaning: string) {
  return v.pipe(v.string(), addressRule, v.description(meaning))
}

const liveness = v.pipe(
  section({
    type: v.optional(
      oneOf(
        ['Disabled', 'Verification'],
        'Checks that a living person is in front of the camera; Disabled by default.',
      ),
    ),
    challengeType: v.optional(
      oneOf(challengeTypes, 'Balanced asks for one action, Advanced for three; Balanced by default.'),
    ),
    /** [Note: Ours] */
    allowAlternative: v.optional(
      flag('True if a person who cannot perform an action may ask for another one; false by default.'),
    ),
    /** [Note: Ours] */
    allowPassiveOffline: v.optional(
      flag(
        'True if a kiosk without unused plans may capture without a challenge. The liveness of that capture is judged by its pictures alone. False by default.',
      ),
    ),
    /** [Note: Ours] */
    leastAssurance: v.optional(
      oneOf(
        leastAssurances,
        'Lowest assurance that passes; sessions below it fail with `assuranceTooLow`. No level proves that a living person was there; docs/assurance.md lists the attacks that pass each level. `high` needs a passkey from an earlier visit on a device whose maker the operator trusts (`PASSKEY_ROOTS`; without it `high` cannot be reached). It proves a device, not a camera. `low` by default, which every judged session reaches.',
      ),
    ),
    /** [Note: Ours] */
    evidence: v.optional(
      oneOf(
        livenessEvidenceRules,
        'With `required`, the default, a visit without a film, a turn of the head or the pictures of a turn fails with `evidenceMissing`. With `optional`, sessions reach `low` at most.',
      ),
    ),
    /** [Note: Ours] */
    livenessPolicy: v.optional(
      oneOf(
        livenessPolicies,
        'Effect of rules that are newer than the verification: with `observe` they do not decide, and get-session-result reports their findings in `wouldFail`; `enforce` by default.',
      ),
    ),
  }),
  /** [Note: Least assurance needs liveness] */
  v.forward(
    v.check(
      ({ type, leastAssurance }) => leastAssurance === undefined || type === 'Verification',
      'Must be absent unless liveness has the type Verification.',
    ),
    ['leastAssurance'],
  ),
  /** [Note: Least assurance needs evidence] */
  v.forward(
    v.check(
      ({ evidence, leastAssurance = 'low' }) => evidence !== 'optional' || leastAssurance === 'low',
      'Must be required if leastAssurance is higher than low.',
    ),
    ['evidence'],
  ),
  v.description('Checks for a living person in front of the camera.'),
)

const thresholdConfig = section({
  threshold: v.optional(int32('The age threshold in years.')),
  direction: v.optional(
    oneOf(['Above', 'Below'], 'Above passes ages from the threshold upwards, Below passes ages under it.'),
  ),
  /** [Note: Ours] */
  marginInYears: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(150),
      v.description(
        'Years by which the estimate must clear the threshold; 0 by default. Measured share of people aged 15 to 17 who pass a threshold of 18: 32 % without a margin, 4 % with 7 years, 2 % with 10 years.',
      ),
    ),
  ),
})

const rangeConfig = v.pipe(
  section({
    minimum: v.optional(int32('The lowest age that passes, in years.')),
    maximum: v.optional(int32('The highest age that passes, in years.')),
  }),
  v.forward(
    v.check(
      ({ minimum, maximum }) => minimum === undefined || maximum === undefined || minimum <= maximum,
      'Must not be below the minimum.',
    ),
    ['maximum'],
  ),
)

/** [Note: Ours] Comparing ages requires a rule. Without one, the comparison would pass or fail everyone. */
const ageVerifier = v.pipe(
  section({
    type: v.optional(
      oneOf(
        ['Disabled', 'CalculationOnly', 'ThresholdVerification', 'RangeVerification'],
        'Estimates the age and compares it with a rule; Disabled by default.',
      ),
    ),
    thresholdConfig: v.optional(
      v.pipe(thresholdConfig, v.description('The rule of ThresholdVerification, required by it.')),
    ),
    rangeConfig: v.optional(
      v.pipe(rangeConfig, v.description('The rule of RangeVerification, required by it.')),
    ),
  }),
  v.forward(
    v.check(
      ({ type, thresholdConfig: limit }) =>
        type !== 'ThresholdVerification' || (limit?.threshold !== undefined && limit.direction !== undefined),
      'Must give threshold and direction for a ThresholdVerification.',
    ),
    ['thresholdConfig'],
  ),
  v.forward(
    v.check(
      ({ type, rangeConfig: range }) =>
        type !== 'RangeVerification' || (range?.minimum !== undefined && range.maximum !== undefined),
      'Must give minimum and maximum for a RangeVerification.',
    ),
    ['rangeConfig'],
  ),
  v.description('Estimates or checks the age that the person appears to have.'),
)

const emotion = v.pipe(
  section({
    type: v.optional(oneOf(['Disabled', 'CalculationOnly'], 'Reads expressions; Disabled by default.')),
    purpose: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1, 'Must not be empty.'),
        v.maxLength(500, 'Must have at most 500 characters.'),
        v.description('Why expressions are needed. Shown to the person; required if expressions are read.'),
      ),
    ),
  }),
  v.forward(
    v.check(
      (config) => config.type !== 'CalculationOnly' || config.purpose !== undefined,
      'Is required if emotion has the type CalculationOnly.',
    ),
    ['purpose'],
  ),
  v.description('Reads the expression of the face.'),
)

export const faceRecognitionTypes = [
  'Disabled',
  'CalculationOnly',
  'DuplicateVerification',
  'UniqueMatchVerification',
  'MatchVerification',
] as const
export type FaceRecognitionType = (typeof faceRecognitionTypes)[number]

/** The consequence for a person whose face must not pass. [Note: Ours] */
export const denyModes = ['review', 'fail'] as const
/** The maximum number of collections of faces that must not pass. */
export const mostDenyCollections = 5

const faceRecognition = v.pipe(
  section({
    type: v.optional(
      oneOf(
        faceRecognitionTypes,
        'CalculationOnly stores the face. DuplicateVerification fails if the face is already known. MatchVerification compares the face with the one stored for the external id, or stores it if there is none. UniqueMatchVerification also fails if the face is known under another id. Disabled by default.',
      ),
    ),
    /** [Note: Ours] */
    denyCollectionIds: v.optional(
      v.pipe(
        v.array(v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.description('A collection.'))),
        v.maxLength(mostDenyCollections, `Must have at most ${mostDenyCollections} collections.`),
        v.description(
          'Collections of the account with faces that must not pass. A living face that matches one of them at a score of at least 90 (1 false match in 100,000 comparisons) is treated as denyMode says.',
        ),
      ),
    ),
    /** [Note: Ours] */
    denyMode: v.optional(
      oneOf(
        denyModes,
        'review leaves the verdict and adds the finding `denied`, for a review; fail ends the session with the reason `denied`. review by default.',
      ),
    ),
  }),
  v.forward(
    v.check(
      ({ type = 'Disabled', denyCollectionIds = [] }) =>
        type !== 'Disabled' || denyCollectionIds.length === 0,
      'Requires a type of faceRecognition other than Disabled.',
    ),
    ['denyCollectionIds'],
  ),
)

const gender = section({
  type: v.optional(oneOf(['Disabled', 'CalculationOnly'], 'Estimates the gender; Disabled by default.')),
})

const commonSettings = section({
  failOnMultipleFacesDetected: v.optional(
    flag('True if the verification fails when the picture shows several faces; false by default.'),
  ),
})

/** The verifiers. If one is absent, it is Disabled. */
export const verifierConfigs = section({
  liveness: v.optional(liveness),
  age: v.optional(ageVerifier),
  faceRecognition: v.optional(
    v.pipe(faceRecognition, v.description('Recognises the face among known ones.')),
  ),
  gender: v.optional(v.pipe(gender, v.description('Estimates the gender that the person appears to have.'))),
  /** [Note: Ours] */
  emotion: v.optional(emotion),
  /** [Note: Ours] */
  reference: v.optional(referenceVerifier),
  commonSettings: v.optional(v.pipe(commonSettings, v.description('Settings of all verifiers.'))),
})

const wanted = (what: string) => v.optional(flag(`True if the result address includes ${what}.`))

/** The parameters of the result URL. Absent means false. */
const resultParameterConfig = section({
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
  /** [Note: Ours] */
  includeAssurance: wanted('the level of assurance'),
})
export type ResultFlag = keyof typeof resultParameterConfig.entries
export const resultFlags = Object.keys(resultParameterConfig.entries) as ResultFlag[]

const redirectConfig = section({
  passedUrl: v.optional(webAddress('Destination of a person who passed: https, or http on loopback.')),
  failedUrl: v.optional(webAddress('Destination of a person who failed: https, or http on loopback.')),
})

const securityConfig = section({
  forceSignedInput: v.optional(flag('True if links must be signed; true by default.')),
})

const sessionOverrideConfig = section({
  allowVerifierOverrides: v.optional(flag('True if a session may override which verifiers are enabled.')),
  allowResultParameterOverrides: v.optional(
    flag('True if a session may override which results are returned.'),
  ),
  allowRedirectOverrides: v.optional(flag('True if a session may override the redirect addresses.')),
})

/** [Note: Ours] */
const retryConfig = section({
  attempts: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(mostTries - 1),
      v.description('Number of further tries on pages that can offer them; 2 by default.'),
    ),
  ),
})

function words(maximum: number, meaning: string) {
  return v.pipe(
    v.string(),
    v.minLength(1, 'Must not be empty.'),
    v.maxLength(maximum, `Must have at most ${maximum} characters.`),
    v.description(meaning),
  )
}

/** [Note: Ours] */
const alternativeConfig = section({
  url: webAddress('Address of an alternative to this check: https, or http on loopback.'),
  text: v.optional(words(200, 'Text of the link to the alternative; the page has a default.')),
})

/** [Note: Ours] */
const privacyConfig = section({
  privacyUrl: v.optional(webAddress('Address of the privacy policy: https, or http on loopback.')),
  termsUrl: v.optional(webAddress('Address of the terms: https, or http on loopback.')),
  controller: v.optional(words(200, 'Name of the data controller.')),
  purpose: v.optional(
    v.pipe(
      wordsByLanguage(words(500, 'Purpose of the check.')),
      v.description(
        'Purpose of the check: one text, or one for each language of the page with a `default` for the others.',
      ),
    ),
  ),
})

/** The range of days for which sessions appear in get-sessions. The default is the minimum. [Note: Ours] */
export const historyDays = { least: 7, most: 400 } as const

/** [Note: Ours] */
const historyConfig = section({
  days: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(historyDays.least),
      v.maxValue(historyDays.most),
      v.description(
        `Days after creation for which a session stays in get-sessions and in the console; ${historyDays.least} by default. Its result is always kept for ${historyDays.least} days. A session keeps the number of days it started with; if you lower the number, older sessions are removed by the next sweep.`,
      ),
    ),
  ),
})

/** Why pictures of a visit are kept. [Note: Ours] */
export const evidenceKeeps = ['none', ...evidenceUses] as const

/** The minimum, maximum and default number of hours for which pictures are kept. [Note: Ours] */
export const evidenceHours = { least: 1, most: 168, usual: 72 } as const

/** [Note: Ours] */
const evidenceConfig = section({
  keep: v.optional(
    oneOf(
      evidenceKeeps,
      'Which sessions keep up to 8 pictures and the film, sealed, for reviewers: `none`; `review`, those with findings or with one of the reasons ageUncertain, assuranceTooLow, evidenceMissing, faceMismatch and referenceMismatch; `all`, every judged session, which requires `privacyConfig.purpose`. The consent mentions it. `none` by default.',
    ),
  ),
  hours: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(evidenceHours.least),
      v.maxValue(evidenceHours.most),
      v.description(
        `Maximum hours for which pictures are kept after the end of the session; ${evidenceHours.usual} by default. They are deleted 10 seconds after a review, or after its second opinion if one is asked for.`,
      ),
    ),
  ),
})

const webhookConfig = section({
  eventCallbackUrl: v.optional(
    webAddress('Address that receives VerificationCompleted: https, or http on loopback.'),
  ),
})

const sections = asSent(
  section({
    verifierConfigs: v.optional(v.pipe(verifierConfigs, v.description('The checks.'))),
    redirectConfig: v.optional(
      v.pipe(redirectConfig, v.description('Destinations of people after the check.')),
    ),
    resultParameterConfig: v.optional(
      v.pipe(resultParameterConfig, v.description('Parameters of the result address.')),
    ),
    securityConfig: v.optional(v.pipe(securityConfig, v.description('Requirements for links.'))),
    sessionOverrideConfig: v.optional(
      v.pipe(sessionOverrideConfig, v.description('Settings that a single session may override.')),
    ),
    retryConfig: v.optional(v.pipe(retryConfig, v.description('Number of tries.'))),
    alternativeConfig: v.optional(
      v.pipe(
        alternativeConfig,
        v.description('An alternative for people who cannot or do not want to do this check.'),
      ),
    ),
    privacyConfig: v.optional(
      v.pipe(privacyConfig, v.description('Links and texts shown with the request for consent.')),
    ),
    historyConfig: v.optional(v.pipe(historyConfig, v.description('How long sessions stay in lists.'))),
    evidenceConfig: v.optional(v.pipe(evidenceConfig, v.description('Pictures kept for reviewers.'))),
    kioskConfig: v.optional(v.pipe(kioskConfig, v.description('What kiosks say.'))),
    webhookConfig: v.optional(
      v.pipe(webhookConfig, v.description('Notification about the end of a session.')),
    ),
  }),
)

/** [Note: Keeping all pictures requires a purpose] Reports the error at the missing purpose. */
export const keptPurposeRule = v.rawCheck<v.InferOutput<typeof sections>>(({ dataset, addIssue }) => {
  if (!dataset.typed) return
  const { evidenceConfig: evidence, privacyConfig: privacy } = dataset.value
  if (evidence?.keep !== 'all' || privacy?.purpose !== undefined) return
  const at = (key: string, input: object, value: unknown) =>
    ({ type: 'object', origin: 'value', input: { ...input }, key, value }) as const
  addIssue({
    message: 'Is required if evidenceConfig.keep is all.',
    path: [at('privacyConfig', dataset.value, privacy), at('purpose', privacy ?? {}, undefined)],
  })
})

/**
 * The checks of a verification and the way its results are returned. Every section and member is optional.
 * [Note: As sent] A configuration is returned exactly as it was written, including the caller's own names (`x-…`), which
 * have no effect. Known members are validated strictly and may not be null.
 */
export const verificationConfig = v.pipe(
  sections,
  v.check(
    (config) => JSON.stringify(config).length <= configMaximum,
    `Must have at most ${configMaximum} characters of JSON.`,
  ),
  keptPurposeRule,
  v.description(
    'The checks and the way results are returned; every member is optional. In it and in each of its sections an undeclared name is a 400 with the code `unknown_name`, unless it begins with `x-`: these names are yours, have no effect and are returned as sent.',
  ),
)
export type VerificationConfig = v.InferOutput<typeof verificationConfig>

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
} from '../sessions/session.ts'
import { referenceVerifier } from './reference-verifier.ts'
import { wordsByLanguage } from './words-by-language.ts'

/** A configuration is refused beyond this many characters of JSON. [Note: Ours] */
const configMaximum = 64 * 1024

/** Picks one of some words, with what they mean. */
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

/** Refuses what `addressFault` finds fault with. */
export const addressRule = v.rawCheck<string>(({ dataset, addIssue }) => {
  const fault = dataset.typed ? addressFault(dataset.value) : undefined
  if (fault !== undefined) addIssue({ message: fault })
})

/** An address that people are sent to, or that events are posted to. */
export function webAddress(meaning: string) {
  return v.pipe(v.string(), addressRule, v.description(meaning))
}

const liveness = v.pipe(
  section({
    type: v.optional(
      oneOf(
        ['Disabled', 'Verification'],
        'Whether it is checked that a living person is there; Disabled when absent.',
      ),
    ),
    challengeType: v.optional(
      oneOf(challengeTypes, 'Balanced asks for one action, Advanced for three; Balanced when absent.'),
    ),
    /** [Note: Ours] */
    allowAlternative: v.optional(
      flag('Whether a person who cannot perform an action may ask for another one; false when absent.'),
    ),
    /** [Note: Ours] */
    allowPassiveOffline: v.optional(
      flag(
        'Whether a kiosk that has no challenge left may capture without one; the liveness of such a capture is judged by its pictures alone. False when absent.',
      ),
    ),
    /** [Note: Ours] */
    leastAssurance: v.optional(
      oneOf(
        leastAssurances,
        'How much evidence a session must bring; below it it fails with `assuranceTooLow`. No level proves that a living person was there: docs/assurance.md says what passes each. `high` needs a passkey of an earlier visit, in a device that a maker vouches for (`PASSKEY_ROOTS`; without it nobody reaches it). It proves a device, never a camera. `low`, which every judged session reaches, when absent.',
      ),
    ),
    /** [Note: Ours] */
    evidence: v.optional(
      oneOf(
        livenessEvidenceRules,
        'Whether a visit without a film, a turn of the head or the pictures of a turn fails with `evidenceMissing`; `required` when absent. With `optional` sessions end at `low` at most.',
      ),
    ),
    /** [Note: Ours] */
    livenessPolicy: v.optional(
      oneOf(
        livenessPolicies,
        'What rules do that came after the verification was made: with `observe` they do not decide, and get-session-result tells in `wouldFail` what they found; `enforce` when absent.',
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
  v.description('Whether a living person is before the camera.'),
)

const thresholdConfig = section({
  threshold: v.optional(int32('The age in years that is compared with.')),
  direction: v.optional(
    oneOf(['Above', 'Below'], 'Above passes from the threshold on, Below passes under it.'),
  ),
  /** [Note: Ours] */
  marginInYears: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(150),
      v.description(
        'Years by which the estimate must clear the threshold; 0 when absent. Measured: without a margin 32 % of those of 15 to 17 pass a threshold of 18, with 7 years 4 %, with 10 years 2 %.',
      ),
    ),
  ),
})

const rangeConfig = v.pipe(
  section({
    minimum: v.optional(int32('The lowest age in years that passes.')),
    maximum: v.optional(int32('The highest age in years that passes.')),
  }),
  v.forward(
    v.check(
      ({ minimum, maximum }) => minimum === undefined || maximum === undefined || minimum <= maximum,
      'Must not be below the minimum.',
    ),
    ['maximum'],
  ),
)

/** [Note: Ours] Who has ages compared says with what: a comparison with nothing would pass or fail everybody. */
const ageVerifier = v.pipe(
  section({
    type: v.optional(
      oneOf(
        ['Disabled', 'CalculationOnly', 'ThresholdVerification', 'RangeVerification'],
        'Whether the age is estimated, and what it is compared with; Disabled when absent.',
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
  v.description('How old the person looks.'),
)

const emotion = v.pipe(
  section({
    type: v.optional(
      oneOf(['Disabled', 'CalculationOnly'], 'Whether expressions are read; Disabled when absent.'),
    ),
    purpose: v.optional(
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
      (config) => config.type !== 'CalculationOnly' || config.purpose !== undefined,
      'Is required if emotion has the type CalculationOnly.',
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

const faceRecognition = section({
  type: v.optional(
    oneOf(
      faceRecognitionTypes,
      'CalculationOnly stores the face; DuplicateVerification fails a face that is known; MatchVerification compares with the face of the external id, and stores that of a new one; UniqueMatchVerification also fails a face of another id; Disabled when absent.',
    ),
  ),
})

const gender = section({
  type: v.optional(
    oneOf(['Disabled', 'CalculationOnly'], 'Whether the gender is estimated; Disabled when absent.'),
  ),
})

const commonSettings = section({
  failOnMultipleFacesDetected: v.optional(
    flag('Whether the verification fails when several faces are in the picture; false when absent.'),
  ),
})

/** What is checked. An absent verifier is Disabled. */
export const verifierConfigs = section({
  liveness: v.optional(liveness),
  age: v.optional(ageVerifier),
  faceRecognition: v.optional(v.pipe(faceRecognition, v.description('Whether the face is known.'))),
  gender: v.optional(v.pipe(gender, v.description('Which gender the person appears to have.'))),
  /** [Note: Ours] */
  emotion: v.optional(emotion),
  /** [Note: Ours] */
  reference: v.optional(referenceVerifier),
  commonSettings: v.optional(v.pipe(commonSettings, v.description('What holds for all verifiers.'))),
})

const wanted = (what: string) => v.optional(flag(`Whether the result address carries ${what}.`))

/** Which result parameters come back in the result URL; absent is false. */
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
  includeAssurance: wanted('how much evidence it brought that a living person was there'),
})
export type ResultFlag = keyof typeof resultParameterConfig.entries
export const resultFlags = Object.keys(resultParameterConfig.entries) as ResultFlag[]

const redirectConfig = section({
  passedUrl: v.optional(webAddress('Where a person who passed is sent: https, or http on loopback.')),
  failedUrl: v.optional(webAddress('Where a person who failed is sent: https, or http on loopback.')),
})

const securityConfig = section({
  forceSignedInput: v.optional(flag('Whether links must be signed; true when absent.')),
})

const sessionOverrideConfig = section({
  allowVerifierOverrides: v.optional(flag('Whether a session may say which verifiers are on.')),
  allowResultParameterOverrides: v.optional(flag('Whether a session may say which results come back.')),
  allowRedirectOverrides: v.optional(flag('Whether a session may lead to other addresses.')),
})

/** [Note: Ours] */
const retryConfig = section({
  attempts: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(mostTries - 1),
      v.description('How many further tries a person has whose page can offer them; 2 when absent.'),
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
  url: webAddress('Where another way than this check begins: https, or http on loopback.'),
  text: v.optional(words(200, 'What the page says of it; words of the page when absent.')),
})

/** [Note: Ours] */
const privacyConfig = section({
  privacyUrl: v.optional(webAddress('What is done with the data: https, or http on loopback.')),
  termsUrl: v.optional(webAddress('The terms: https, or http on loopback.')),
  controller: v.optional(words(200, 'Who answers for what is done with the data.')),
  purpose: v.optional(
    v.pipe(
      wordsByLanguage(words(500, 'What the check is for.')),
      v.description(
        'What the check is for: one text, or one for each language of the page with a `default` for the others.',
      ),
    ),
  ),
})

/** How many days of sessions get-sessions can reach; as few where a configuration says nothing. [Note: Ours] */
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
        `For how many days from its creation a session stays in get-sessions and in the console; ${historyDays.least} when absent. Its result is there for ${historyDays.least} days whatever this says. A session keeps the days of the configuration that it began with; where they are made fewer, what is older goes with the next sweep.`,
      ),
    ),
  ),
})

/** For whom pictures of a visit are kept. [Note: Ours] */
export const evidenceKeeps = ['none', ...evidenceUses] as const

/** For how many hours they are kept at most, and where nothing is said. [Note: Ours] */
export const evidenceHours = { least: 1, most: 168, usual: 72 } as const

/** [Note: Ours] */
const evidenceConfig = section({
  keep: v.optional(
    oneOf(
      evidenceKeeps,
      'For whom up to 8 pictures and the film of a visit are kept, sealed, for who reviews it: `none`, for nobody; `review`, where there are findings, or one of the reasons ageUncertain, assuranceTooLow, evidenceMissing, faceMismatch and referenceMismatch; `all`, for everybody who was judged, which needs `privacyConfig.purpose`. The consent names it. `none` when absent.',
    ),
  ),
  hours: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(evidenceHours.least),
      v.maxValue(evidenceHours.most),
      v.description(
        `For how many hours after the end of the session at most; ${evidenceHours.usual} when absent. They go 10 seconds after a review.`,
      ),
    ),
  ),
})

const webhookConfig = section({
  eventCallbackUrl: v.optional(
    webAddress('Where VerificationCompleted is posted: https, or http on loopback.'),
  ),
})

const sections = asSent(
  section({
    verifierConfigs: v.optional(v.pipe(verifierConfigs, v.description('What is checked.'))),
    redirectConfig: v.optional(v.pipe(redirectConfig, v.description('Where people are sent afterwards.'))),
    resultParameterConfig: v.optional(
      v.pipe(resultParameterConfig, v.description('What the result address carries.')),
    ),
    securityConfig: v.optional(v.pipe(securityConfig, v.description('What links must be like.'))),
    sessionOverrideConfig: v.optional(
      v.pipe(sessionOverrideConfig, v.description('What a single session may change.')),
    ),
    retryConfig: v.optional(v.pipe(retryConfig, v.description('How often a person may try again.'))),
    alternativeConfig: v.optional(
      v.pipe(
        alternativeConfig,
        v.description('Another way for people who cannot or will not do this check.'),
      ),
    ),
    privacyConfig: v.optional(
      v.pipe(privacyConfig, v.description('What is linked and stated where consent is asked.')),
    ),
    historyConfig: v.optional(v.pipe(historyConfig, v.description('How long sessions stay in lists.'))),
    evidenceConfig: v.optional(
      v.pipe(evidenceConfig, v.description('Whether pictures are kept for who reviews a session.')),
    ),
    webhookConfig: v.optional(
      v.pipe(webhookConfig, v.description('Who is notified of the end of a session.')),
    ),
  }),
)

/** [Note: Whoever keeps everybody's pictures says what for] The fault is where the words are missing. */
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
 * What a verification checks and how its result comes back. Every section and member may be absent.
 * [Note: As sent] A configuration is read back exactly as it was written, with names of the caller's own (`x-…`), which
 * have no effect. Values of known members are exact; null is none of them.
 */
export const verificationConfig = v.pipe(
  sections,
  v.check(
    (config) => JSON.stringify(config).length <= configMaximum,
    `Must have at most ${configMaximum} characters of JSON.`,
  ),
  keptPurposeRule,
  v.description(
    'What is checked and how the result comes back; every member may be absent. In it and in each of its sections a name that is not declared here is a 400 with the code `unknown_name`, unless it begins with `x-`: such names are the caller’s own, have no effect and come back as sent.',
  ),
)
export type VerificationConfig = v.InferOutput<typeof verificationConfig>

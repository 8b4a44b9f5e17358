import type { Consequence } from '#shared/consequences.ts'
import { mostTries } from '#shared/contract/configuration/check-settings.ts'
import { defaultReferenceThreshold } from '#shared/contract/configuration/reference-verifier.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'

type NestedSettings = Readonly<Record<string, unknown>>

/**
 * The path to every configuration member that has a value, such as `redirectConfig.passedUrl`. Text in several languages
 * counts as one member.
 */
type PathOf<T> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends
    | string
    | number
    | boolean
    | readonly unknown[]
    | { default: string }
    ? K
    : 'en' extends keyof NonNullable<T[K]>
      ? K
      : `${K}.${PathOf<NonNullable<T[K]>>}`
}[keyof T & string]
type ConfigPath = PathOf<VerificationConfig>

/** Decides if changing one member weakens the verification. Consults the whole configuration if it matters. */
interface Rule {
  readonly consequence: Consequence
  isWeaker(before: unknown, after: unknown, whole: ConfigChange): boolean
}

interface ConfigChange {
  readonly before: VerificationConfig
  readonly after: VerificationConfig
}

/** Affects neither a verdict nor any destination. */
const harmless = undefined

const decidingAge: readonly unknown[] = ['ThresholdVerification', 'RangeVerification']
const decidingFace: readonly unknown[] = [
  'DuplicateVerification',
  'UniqueMatchVerification',
  'MatchVerification',
]

/** Values from weakest to strongest. An absent value counts as `absent`. */
function rank(words: readonly string[], consequence: Consequence, absent: string): Rule {
  const at = (word: unknown) => words.indexOf(String(word ?? absent))
  return { consequence, isWeaker: (before, after) => at(after) < at(before) }
}

/** Applies if liveness is checked both before and after. */
function ofLiveness(rule: Rule): Rule {
  const isLooked = ({ verifierConfigs }: VerificationConfig) =>
    verifierConfigs?.liveness?.type === 'Verification'
  return {
    ...rule,
    isWeaker: (before, after, whole) =>
      isLooked(whole.before) && isLooked(whole.after) && rule.isWeaker(before, after, whole),
  }
}

/** Applies if the age is compared in the same way before and after. */
function ofAge(type: string, isWeaker: Rule['isWeaker']): Rule {
  const typeOf = ({ verifierConfigs }: VerificationConfig) => verifierConfigs?.age?.type
  return {
    consequence: 'ageCheckWeaker',
    isWeaker: (before, after, whole) =>
      typeOf(whole.before) === type && typeOf(whole.after) === type && isWeaker(before, after, whole),
  }
}

function becomes(value: boolean, absent: boolean, consequence: Consequence): Rule {
  return {
    consequence,
    isWeaker: (before = absent, after = absent) => after === value && before !== value,
  }
}

/** True if the address changed. Removing the address does not count. */
function leads(consequence: Consequence): Rule {
  return { consequence, isWeaker: (before, after) => after !== undefined && after !== before }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** True if a person fails who is not the one in the caller's picture. */
const isCompared = ({ verifierConfigs }: VerificationConfig) =>
  verifierConfigs?.reference?.type === 'Verification'

const isLower = (before: unknown, after: unknown) => Number(after ?? 0) < Number(before ?? 0)

/**
 * [Note: Every member is weighed] A configuration member without a line here does not compile, so its author has to state
 * the consequence of changing it.
 */
const rules: Readonly<Record<ConfigPath, Rule | typeof harmless>> = {
  'verifierConfigs.liveness.type': rank(['Disabled', 'Verification'], 'livenessOff', 'Disabled'),
  'verifierConfigs.liveness.challengeType': ofLiveness(
    rank(['Balanced', 'Advanced'], 'challengeEasier', 'Balanced'),
  ),
  'verifierConfigs.liveness.allowAlternative': ofLiveness(becomes(true, false, 'challengeEasier')),
  'verifierConfigs.liveness.allowPassiveOffline': ofLiveness(becomes(true, false, 'challengeEasier')),
  'verifierConfigs.liveness.leastAssurance': ofLiveness(
    rank(['low', 'standard', 'high'], 'assuranceLower', 'low'),
  ),
  'verifierConfigs.liveness.livenessPolicy': ofLiveness(
    rank(['observe', 'enforce'], 'rulesObserved', 'enforce'),
  ),
  'verifierConfigs.liveness.evidence': ofLiveness(
    rank(['optional', 'required'], 'assuranceLower', 'required'),
  ),
  'verifierConfigs.age.type': {
    consequence: 'ageCheckWeaker',
    isWeaker: (before, after) => decidingAge.includes(before) && after !== before,
  },
  'verifierConfigs.age.thresholdConfig.threshold': ofAge(
    'ThresholdVerification',
    (before, after, { after: whole }) =>
      whole.verifierConfigs?.age?.thresholdConfig?.direction === 'Below'
        ? isLower(after, before)
        : isLower(before, after),
  ),
  'verifierConfigs.age.thresholdConfig.direction': ofAge(
    'ThresholdVerification',
    (before, after) => after !== before,
  ),
  'verifierConfigs.age.thresholdConfig.marginInYears': ofAge('ThresholdVerification', isLower),
  'verifierConfigs.age.rangeConfig.minimum': ofAge('RangeVerification', isLower),
  'verifierConfigs.age.rangeConfig.maximum': ofAge('RangeVerification', (before, after) =>
    isLower(after, before),
  ),
  'verifierConfigs.faceRecognition.type': {
    consequence: 'faceCheckWeaker',
    // A person who had to match uniquely still has to match.
    isWeaker: (before, after) =>
      decidingFace.includes(before) &&
      after !== before &&
      !(before === 'MatchVerification' && after === 'UniqueMatchVerification'),
  },
  'verifierConfigs.faceRecognition.denyCollectionIds': {
    consequence: 'faceCheckWeaker',
    isWeaker: (before, after) => listOf(before).some((id) => !listOf(after).includes(id)),
  },
  'verifierConfigs.faceRecognition.denyMode': {
    consequence: 'faceCheckWeaker',
    isWeaker: (before, after, { after: whole }) =>
      before === 'fail' &&
      after !== 'fail' &&
      listOf(whole.verifierConfigs?.faceRecognition?.denyCollectionIds).length > 0,
  },
  'verifierConfigs.gender.type': harmless,
  'verifierConfigs.emotion.type': harmless,
  'verifierConfigs.emotion.purpose': harmless,
  'verifierConfigs.reference.type': {
    consequence: 'faceCheckWeaker',
    isWeaker: (before, after) => before === 'Verification' && after !== before,
  },
  'verifierConfigs.reference.threshold': {
    consequence: 'faceCheckWeaker',
    isWeaker: (before = defaultReferenceThreshold, after = defaultReferenceThreshold, whole) =>
      isCompared(whole.before) && isCompared(whole.after) && isLower(before, after),
  },
  'verifierConfigs.commonSettings.failOnMultipleFacesDetected': becomes(false, false, 'severalFacesPass'),
  'redirectConfig.passedUrl': leads('returnAddress'),
  'redirectConfig.failedUrl': leads('returnAddress'),
  'resultParameterConfig.includeSignature': becomes(false, false, 'resultUnsigned'),
  'resultParameterConfig.includeSessionId': harmless,
  'resultParameterConfig.includeFaceId': harmless,
  'resultParameterConfig.includeAge': harmless,
  'resultParameterConfig.includeGender': harmless,
  'resultParameterConfig.includeVerificationResult': harmless,
  'resultParameterConfig.includeCustomInputParameters': harmless,
  'resultParameterConfig.includeLivenessCheckResult': harmless,
  'resultParameterConfig.includeAgeVerificationResult': harmless,
  'resultParameterConfig.includeGenderVerificationResult': harmless,
  'resultParameterConfig.includeFaceRecognitionResult': harmless,
  'resultParameterConfig.includeCorrelationId': harmless,
  'resultParameterConfig.includeTotalFaceCount': harmless,
  'resultParameterConfig.includeFailedReason': harmless,
  'resultParameterConfig.includeAssurance': harmless,
  'securityConfig.forceSignedInput': becomes(false, true, 'unsignedLinks'),
  'sessionOverrideConfig.allowVerifierOverrides': becomes(true, false, 'overridesAllowed'),
  'sessionOverrideConfig.allowResultParameterOverrides': becomes(true, false, 'overridesAllowed'),
  'sessionOverrideConfig.allowRedirectOverrides': becomes(true, false, 'overridesAllowed'),
  'retryConfig.attempts': {
    consequence: 'moreTries',
    isWeaker: (before = mostTries - 1, after = mostTries - 1) => isLower(after, before),
  },
  'alternativeConfig.url': leads('personElsewhere'),
  'alternativeConfig.text': harmless,
  'privacyConfig.privacyUrl': leads('personElsewhere'),
  'privacyConfig.termsUrl': leads('personElsewhere'),
  'privacyConfig.controller': harmless,
  'privacyConfig.purpose': harmless,
  // Sessions are listed for longer. This does not affect a verdict, and the consent screen informs visitors.
  'historyConfig.days': harmless,
  // Affects no verdict either. Visitors are informed, and only reviewers see the pictures.
  'evidenceConfig.keep': harmless,
  'evidenceConfig.hours': harmless,
  'kioskConfig.outcomeTexts.passed': harmless,
  'kioskConfig.outcomeTexts.failed': harmless,
  'kioskConfig.outcomeTexts.saved': harmless,
  'webhookConfig.eventCallbackUrl': leads('resultElsewhere'),
}

/** The members that are weighed. The configuration's schema has no others. */
export const comparedMembers: readonly string[] = Object.keys(rules)

/**
 * A configuration change's distinct consequences; empty if it becomes stronger or stays equal. A new verification is
 * compared with an empty one, so it weakens nothing but still lists its destinations.
 */
export function weakens(before: VerificationConfig, after: VerificationConfig): readonly Consequence[] {
  const whole = { before, after }
  const found = Object.entries(rules).flatMap(([path, rule]) =>
    rule?.isWeaker(memberOf(before, path), memberOf(after, path), whole) === true ? [rule.consequence] : [],
  )
  return [...new Set(found)]
}

function memberOf(config: VerificationConfig, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as NestedSettings | undefined)?.[name], config)
}

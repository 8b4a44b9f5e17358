import type { AnalysisStages } from '#models/rules/analysis.ts'
import { actionCounts } from '#models/rules/challenge/progress.ts'
import { firstPolicyVersion } from '#models/rules/liveness/policy.ts'
import type { Rules } from '#models/rules/verdict.ts'
import type { SessionSettings } from '#server/features/links/links.ts'
import { defaultReferenceThreshold } from '#shared/contract/configuration/reference-verifier.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

/** Derives the verdict's rules from a session's settings. */
export function rulesOf(settings: SessionSettings): Rules {
  const { verifiers, madeUnder = firstPolicyVersion, writtenUnder = madeUnder } = settings
  const liveness = verifiers.liveness?.type === 'Verification'
  return {
    liveness,
    challengeActionCount: liveness ? actionCounts[verifiers.liveness?.challengeType ?? 'Balanced'] : 0,
    failOnMultipleFaces: verifiers.commonSettings?.failOnMultipleFacesDetected ?? false,
    age: ageRule(verifiers.age),
    gender: verifiers.gender?.type === 'CalculationOnly',
    faceRecognition: faceRecognitionOf(verifiers) !== 'Disabled',
    emotion: verifiers.emotion?.type === 'CalculationOnly',
    ...referenceRule(verifiers),
    leastAssurance: verifiers.liveness?.leastAssurance ?? 'low',
    policy: { kind: verifiers.liveness?.livenessPolicy ?? 'enforce', since: madeUnder, writtenUnder },
    evidence: verifiers.liveness?.evidence ?? 'required',
  }
}

export function faceRecognitionOf(verifiers: SessionSettings['verifiers']) {
  return verifiers.faceRecognition?.type ?? 'Disabled'
}

function referenceRule({ reference }: SessionSettings['verifiers']): Pick<Rules, 'reference'> {
  const { type = 'Disabled', threshold = defaultReferenceThreshold } = reference ?? {}
  if (type === 'Disabled') return {}
  return { reference: type === 'Verification' ? { type, threshold } : { type } }
}

function ageRule(age: SessionSettings['verifiers']['age']): Rules['age'] {
  switch (age?.type) {
    case 'ThresholdVerification': {
      const { threshold, direction, marginInYears } = age.thresholdConfig ?? {}
      if (!isSet(threshold) || !isSet(direction)) throw limitMissing()
      return { type: age.type, threshold, direction, marginInYears: marginInYears ?? 0 }
    }
    case 'RangeVerification': {
      const { minimum, maximum } = age.rangeConfig ?? {}
      if (!isSet(minimum) || !isSet(maximum)) throw limitMissing()
      return { type: age.type, minimum, maximum }
    }
    default:
      return { type: age?.type ?? 'Disabled' }
  }
}

function isSet<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined
}

/** Configurations without limits are rejected. If one exists anyway, it always fails. */
function limitMissing(): Error {
  return new Error('An age verification has no limits to compare with')
}

/** The analysis stages that the server needs for each of this session's frames. */
export function wantedOf(rules: Rules, actions: readonly Action[]): AnalysisStages {
  const acted = (action: Action) => rules.liveness && actions.includes(action)
  return {
    ...(rules.liveness ? { liveness: 'full' as const } : {}),
    embedding: rules.liveness || rules.faceRecognition || rules.reference !== undefined,
    ...(rules.gender || rules.age.type !== 'Disabled' ? { demographic: 'full' as const } : {}),
    ...(rules.emotion || acted('smile') ? { expression: 'full' as const } : {}),
    eyes: acted('blink'),
    sceneSignature: rules.liveness,
    surface: rules.liveness,
  }
}

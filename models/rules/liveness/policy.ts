import type { LivenessPolicy } from '#shared/contract/configuration/check-settings.ts'
import type { Finding } from './session-liveness.ts'

/** The versions of the rules, each named after the date of its newest rule. */
const policyVersions = ['2026-11-01', '2026-11-23', '2026-11-24', '2026-11-29'] as const

/** The version assumed for verifications and results that predate versions. */
export const firstPolicyVersion = policyVersions[0]
/** The version used to judge sessions now. */
export const policyVersion = policyVersions[3]

/** The version that introduced each rule. */
const broughtBy: Readonly<Record<Finding, (typeof policyVersions)[number]>> = {
  passiveScoreLow: '2026-11-01',
  pictureReused: '2026-11-01',
  sceneReused: '2026-11-01',
  severalPlaces: '2026-11-01',
  picturesRepeated: '2026-11-01',
  timesImpossible: '2026-11-01',
  actionsMissing: '2026-11-01',
  movedBefore: '2026-11-01',
  movedAfter: '2026-11-01',
  cueBroken: '2026-11-23',
  evidenceMissing: '2026-11-24',
  evidenceSilent: '2026-11-24',
  filmForeign: '2026-11-29',
}

/** Reported but never decisive, because it has not been measured yet how many living people would be rejected. */
const reportedOnly: ReadonlySet<Finding> = new Set(['evidenceSilent'])

/** These only decide for verifications written since the rule was added. For older ones, they are only reported. */
const ofWritten: ReadonlySet<Finding> = new Set(['evidenceMissing', 'filmForeign'])

export interface Policy {
  /** With `observe`, rules newer than the verification do not decide. */
  readonly kind: LivenessPolicy
  /** The version of the rules when the verification was created. */
  readonly since: string
  /** The version of the rules when the verification was last updated. */
  readonly writtenUnder: string
}

/** The decisive findings, and those that are only observed. */
export interface Ruling {
  readonly deciding: readonly Finding[]
  readonly observed: readonly Finding[]
}

/** [Note: Younger rules may be watched first] Splits findings into decisive and observed ones. If there is no policy, every rule decides. */
export function ruledBy(policy: Policy | undefined, findings: readonly Finding[]): Ruling {
  const isYounger = (finding: Finding, than: string | undefined) =>
    than !== undefined && broughtBy[finding] > than
  const isObserved = (finding: Finding) =>
    reportedOnly.has(finding) ||
    (policy?.kind === 'observe' && isYounger(finding, policy.since)) ||
    (ofWritten.has(finding) && isYounger(finding, policy?.writtenUnder))
  return {
    deciding: findings.filter((finding) => !isObserved(finding)),
    observed: findings.filter(isObserved),
  }
}

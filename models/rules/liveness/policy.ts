import type { LivenessPolicy } from '#shared/contract/sessions/session.ts'
import type { Finding } from './session-liveness.ts'

/** Which rules there were, by the day on which the youngest of them came. */
const policyVersions = ['2026-11-01', '2026-11-23', '2026-11-24', '2026-11-29'] as const

/** The version for verifications and results from before versions existed. */
export const firstPolicyVersion = policyVersions[0]
/** By which rules a session is judged now. */
export const policyVersion = policyVersions[3]

/** The version that added each rule. */
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

/** Reported, but never decisive: the number of living people it would refuse has not been measured yet. */
const reportedOnly: ReadonlySet<Finding> = new Set(['evidenceSilent'])

/** What a verification asks that was written since; of others it is reported. */
const ofWritten: ReadonlySet<Finding> = new Set(['evidenceMissing', 'filmForeign'])

export interface Policy {
  /** `observe`: rules newer than the verification do not decide. */
  readonly kind: LivenessPolicy
  /** Version of the rules when the verification was created. */
  readonly since: string
  /** Version of the rules when it was last written. */
  readonly writtenUnder: string
}

/** Decisive findings, and those that would be if the verification did not only observe them. */
export interface Ruling {
  readonly deciding: readonly Finding[]
  readonly observed: readonly Finding[]
}

/** [Note: Younger rules may be watched first] Splits findings into decisive and observed ones. Without a policy every rule decides. */
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

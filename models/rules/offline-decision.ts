import type { FailedReason } from '#shared/contract/sessions/session.ts'
import { type AgeRule, decideAge } from './age/age-rule.ts'
import type { Analysis, Expressions, FaceAnalysis } from './analysis.ts'
import { agreedCount, countFaces } from './face/face-count.ts'
import { isFair, straightPose } from './fair-frame.ts'
import { frameScore, fuseLiveness, isLiveRecording } from './liveness/liveness-fusion.ts'

/** The rules that a device applies to decide without a server. */
export interface OfflineRules {
  readonly liveness: boolean
  readonly failOnMultipleFaces: boolean
  /** Null if the age is only estimated, or not analysed at all. */
  readonly age: AgeRule | null
  /** True if something can only be decided by the server. The result is then pending at best. */
  readonly needsServer: boolean
}

/** The observations made by the device. */
export interface OfflineEvidence {
  readonly rules: OfflineRules
  /** The pictures taken before the first action and after the last one. */
  readonly pictures: readonly Analysis[]
  /** True if the person did as asked, or if nothing was asked. */
  readonly isChallengeMet: boolean
}

/** The decision that a device makes on the spot. */
export interface OfflineDecision {
  readonly result: 'Pass' | 'Fail' | 'Pending'
  readonly failedReasons: readonly FailedReason[]
  /** In years, unrounded. Null if no age was estimated. */
  readonly estimatedAge: number | null
  /** The strongest expression, or null if expressions were not analysed. */
  readonly expression: string | null
}

/**
 * A device's decision while it is offline. It applies the verdict's rules as far as a device can, but is not binding: once the pictures arrive, the
 * server judges them with its own networks.
 */
export function decideOffline({ rules, pictures, isChallengeMet }: OfflineEvidence): OfflineDecision {
  const faces = pictures.flatMap(({ face }) => face ?? [])
  const straight = straightPose(faces)
  const fair = straight === undefined ? [] : faces.filter((face) => isFair(face, straight))
  const age = decideAge(
    rules.age,
    fair.flatMap(({ age }) => age ?? []),
  )
  const people = agreedCount(pictures.map(countFaces))
  const reasons: FailedReason[] = [
    ...when(faces.length === 0, 'noFace'),
    ...when(faces.length > 0 && fair.length === 0, 'lowQuality'),
    ...when(rules.failOnMultipleFaces && people > 1, 'multipleFaces'),
    ...when(rules.liveness && !looksLive(fair), 'livenessFailed'),
    ...when(!isChallengeMet, 'challengeFailed'),
    ...(fair.length === 0 ? [] : age.reasons),
  ]
  return {
    result: reasons.length > 0 ? 'Fail' : rules.needsServer ? 'Pending' : 'Pass',
    failedReasons: reasons,
    estimatedAge: age.estimate ?? null,
    expression: strongest(faces.flatMap(({ expressions }) => expressions ?? [])),
  }
}

function when(isSo: boolean, reason: FailedReason): FailedReason[] {
  return isSo ? [reason] : []
}

function looksLive(fair: readonly FaceAnalysis[]): boolean {
  const score = fuseLiveness(fair.map(frameScore))
  return (
    score === undefined ||
    isLiveRecording(
      score,
      fair.map(({ live }) => live),
    )
  )
}

function strongest(seen: readonly Expressions[]): string | null {
  const sums = new Map<string, number>()
  for (const expressions of seen) {
    for (const [name, share] of Object.entries(expressions)) sums.set(name, (sums.get(name) ?? 0) + share)
  }
  return [...sums].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

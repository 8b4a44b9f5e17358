import type { FailedReason } from '#shared/contract/sessions/session.ts'
import { type AgeRule, decideAge } from './age/age-rule.ts'
import type { Analysis, Expressions, FaceAnalysis } from './analysis.ts'
import { agreedCount, countFaces } from './face-count.ts'
import { isFair, straightPose } from './fair-frame.ts'
import { frameScore, fuseLiveness, isLiveRecording } from './liveness/liveness-fusion.ts'

/** The rules that a device decides by, without a server. */
export interface OfflineRules {
  readonly liveness: boolean
  readonly failOnMultipleFaces: boolean
  /** Null where the age is only estimated, or not at all. */
  readonly age: AgeRule | null
  /** Something that only the server can tell: then nothing is more than pending. */
  readonly needsServer: boolean
}

/** What the device saw. */
export interface OfflineEvidence {
  readonly rules: OfflineRules
  /** The pictures of before the first action and of after the last one. */
  readonly pictures: readonly Analysis[]
  /** Whether the person did as asked; true where nothing was. */
  readonly isChallengeMet: boolean
}

/** What a device answers at once. */
export interface OfflineDecision {
  readonly result: 'Pass' | 'Fail' | 'Pending'
  readonly failedReasons: readonly FailedReason[]
  /** Years, unrounded; null where none was estimated. */
  readonly estimatedAge: number | null
  /** The strongest expression; null where none was read. */
  readonly expression: string | null
}

/**
 * The decision of a device without a network, by the rules of the verdict as far as a device can follow them. It is not binding:
 * the server judges the same pictures with networks of its own when they arrive.
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

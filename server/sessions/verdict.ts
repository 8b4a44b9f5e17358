import type { Action, FailedReason, VerifierResult } from '#shared/contract/session.ts'
import type { Observation } from './observation.ts'

/** One step of the challenge as the server saw it. Times are the server's clock in milliseconds since 1970. */
export interface StepRecord {
  readonly step: number
  /** Null at step 0. */
  readonly action: Action | null
  readonly revealedAt: number
  readonly answeredAt: number
  readonly timeLimitInSeconds: number
  readonly accepted: boolean
}

export interface Judgement {
  readonly accepted: boolean
  readonly reason: 'performed' | 'notPerformed' | 'otherAction' | 'late' | 'tooEarly' | 'personChanged' | 'noFace' | 'flat'
}

/** The settings of a session that the verdict depends on; overrides are already applied. */
export interface Rules {
  readonly liveness: boolean
  readonly challengeActionCount: number
  readonly failOnMultipleFaces: boolean
  readonly age:
    | { readonly type: 'Disabled' | 'CalculationOnly' }
    | { readonly type: 'ThresholdVerification'; readonly threshold: number; readonly direction: 'Above' | 'Below'; readonly marginInYears: number }
    | { readonly type: 'RangeVerification'; readonly minimum: number; readonly maximum: number }
  readonly gender: boolean
  readonly faceRecognition: boolean
  readonly emotion: boolean
}

export interface Evidence {
  readonly rules: Rules
  readonly steps: readonly StepRecord[]
  readonly observations: readonly Observation[]
}

export interface Verdict {
  /** Without face recognition, which the caller adds when `portrait` is given and nothing failed. */
  readonly reasons: readonly FailedReason[]
  readonly liveness: VerifierResult
  readonly age: VerifierResult
  readonly gender: VerifierResult
  readonly estimatedAge: number | null
  readonly estimatedGender: 'Male' | 'Female' | null
  readonly totalFaceCount: number
  /** Unit embedding of the person, averaged over the good frontal frames; null where there is none. */
  readonly portrait: readonly number[] | null
  readonly emotion: Readonly<Record<string, number>> | null
}

/** Decides whether the asked action was performed in the frames of its step, by the face of the earlier frames. */
export function judgeStep(
  _asked: Action,
  _record: Omit<StepRecord, 'accepted'>,
  _before: readonly Observation[],
  _during: readonly Observation[],
): Judgement {
  throw new Error('being written')
}

/** Decides a session. Pure: it cannot receive what the device reports. */
export function verdict(_evidence: Evidence): Verdict {
  throw new Error('being written')
}

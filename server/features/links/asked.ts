import type { ResultFlag, VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'

/** How a session is judged and where it leads, with overrides applied. */
export interface SessionSettings {
  /** Version of the rules when the verification was created; absent from verifications older than rule versions. */
  readonly madeUnder?: string
  /** Version of the rules when it was last written; `madeUnder` if absent. */
  readonly writtenUnder?: string
  readonly verifiers: NonNullable<VerificationConfig['verifierConfigs']>
  readonly include: Readonly<Partial<Record<ResultFlag, boolean>>>
  readonly passedUrl: string | null
  readonly failedUrl: string | null
  readonly callbackUrl: string | null
  /** Further tries; none if absent, as at kiosks and in sessions from before tries existed. */
  readonly attempts?: number
  readonly alternative?: CapturePlan['alternative'] | null
  readonly privacy?: CapturePlan['privacy'] | null
  /** Days for which it is listed, if longer than its result is stored. */
  readonly history?: CapturePlan['history']
  /** The people whose pictures are stored, and for how long; absent if none are. */
  readonly keeps?: CapturePlan['keeps']
}

/** The inputs of a link. */
export interface SessionInputs {
  readonly externalId: string | null
  readonly correlationId: string | null
  readonly locale: string | null
  /** False: an unknown external id fails instead of being enrolled. */
  readonly enroll: boolean
  /** Custom input parameters in order; a name may repeat. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

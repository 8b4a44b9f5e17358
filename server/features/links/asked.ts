import type { ResultFlag, VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'

/** How a session is to be judged and where it leads; overrides are already applied. */
export interface SessionSettings {
  /** The rules that there were when the verification was made; absent from what is older than their versions. */
  readonly madeUnder?: string
  /** The rules that there were when it was written last; as those it was made under where absent. */
  readonly writtenUnder?: string
  readonly verifiers: NonNullable<VerificationConfig['verifierConfigs']>
  readonly include: Readonly<Partial<Record<ResultFlag, boolean>>>
  readonly passedUrl: string | null
  readonly failedUrl: string | null
  readonly callbackUrl: string | null
  /** Further tries; none where absent: at kiosks, and in sessions that are older than tries. */
  readonly attempts?: number
  readonly alternative?: CapturePlan['alternative'] | null
  readonly privacy?: CapturePlan['privacy'] | null
  /** For how many days it is listed, where that is longer than its result is kept. */
  readonly history?: CapturePlan['history']
  /** Of whom pictures are kept, and for how long; absent where none are. */
  readonly keeps?: CapturePlan['keeps']
}

/** What came with the link. */
export interface SessionInputs {
  readonly externalId: string | null
  readonly correlationId: string | null
  readonly locale: string | null
  /** False: an unknown external id fails instead of being enrolled. */
  readonly enroll: boolean
  /** Custom input parameters in their order; a name may repeat. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

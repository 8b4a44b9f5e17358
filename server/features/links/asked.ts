import type { ResultFlag, VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'

/** The settings by which a session is judged, and the addresses it leads to, with overrides applied. */
export interface SessionSettings {
  /** The rules version when the verification was created; absent if the verification is older than rule versions. */
  readonly madeUnder?: string
  /** The rules version when it was last written; defaults to `madeUnder`. */
  readonly writtenUnder?: string
  readonly verifiers: NonNullable<VerificationConfig['verifierConfigs']>
  readonly include: Readonly<Partial<Record<ResultFlag, boolean>>>
  readonly passedUrl: string | null
  readonly failedUrl: string | null
  readonly callbackUrl: string | null
  /** The number of further tries; defaults to none, as at kiosks and in sessions from before tries existed. */
  readonly attempts?: number
  readonly alternative?: CapturePlan['alternative'] | null
  readonly privacy?: CapturePlan['privacy'] | null
  /** How many days it is listed, if longer than its result is stored. */
  readonly history?: CapturePlan['history']
  /** The people whose pictures are stored, and for how long; absent if none are. */
  readonly keeps?: CapturePlan['keeps']
}

/** A link's inputs. */
export interface SessionInputs {
  readonly externalId: string | null
  readonly correlationId: string | null
  readonly locale: string | null
  /** If false, an unknown external ID fails instead of being enrolled. */
  readonly enroll: boolean
  /** Custom input parameters in order. A name may repeat. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

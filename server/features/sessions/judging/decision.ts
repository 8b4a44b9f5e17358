import type { Observation } from '#models/rules/observation.ts'
import type { Judgement } from '#server/features/sessions/access/judgement.ts'
import type { SessionRead } from '#server/features/sessions/access/session-reader.ts'
import type { FinalSubmission } from '#server/features/sessions/pictures/submission.ts'
import type { Write } from '#server/platform/store/store.ts'

/** A session being decided: as it was read, what was submitted, and how that was judged. */
export interface Decision {
  readonly session: SessionRead
  readonly submission: FinalSubmission
  /** The observations in the submission's pictures. */
  readonly seen: readonly Observation[]
  readonly judgement: Judgement
  /** Writes to the searched collection's faces, if the session ends. */
  readonly faces?: readonly Write[]
}

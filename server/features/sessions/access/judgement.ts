import type { Verdict } from '#models/rules/verdict.ts'
import type { Recognition } from '#server/features/sessions/records/recognition.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'

/** How a session was judged, in its state before the decision. */
export interface Judgement {
  readonly record: SessionRecord
  readonly verdict: Verdict
  /** True if the page can offer another try. */
  readonly acceptsRetry?: boolean
  /** Present if no collection needs to be searched. The session ends with this recognition. */
  readonly recognition?: Recognition
}

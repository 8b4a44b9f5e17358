import type { SessionCaller } from '#server/features/callers/callers.ts'
import type { AcceptBatch } from '#server/features/sessions/early-pictures/batch-arrival.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

export type SubmitPictures = Handler<typeof submitPictures, SessionCaller>

/**
 * Accepts pictures while their step is open. [Note: The answer tells nothing] It is the same whatever the pictures show, and is sent once they are
 * recorded and before they are examined.
 */
export function createSubmitPictures(acceptBatch: AcceptBatch, now: Clock): SubmitPictures {
  return async ({ body, caller }) => {
    const receivedAt = now()
    const { frames, trail = [] } = body
    if (frames.length + trail.length === 0) throw Problem.at('#/frames', 'At least one picture is required.')
    await acceptBatch({ body, caller, receivedAt })
    return {}
  }
}

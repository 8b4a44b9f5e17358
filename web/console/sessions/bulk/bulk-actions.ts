import { isVerdict } from '#shared/contract/sessions/session-ending.ts'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { mostAssigned } from '#shared/contract/sessions/session-reviewing.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'

/** Actions on several sessions at once. A Pass is not among them, because it vouches for one person. */
export const bulkActions = ['assign', 'fail', 'resend', 'cancel'] as const
export type BulkAction = (typeof bulkActions)[number]

/** The sessions that an action applies to. The rest is left out, and counted. */
export function eligible(action: BulkAction, sessions: readonly ListedSession[]): readonly ListedSession[] {
  return sessions.filter(({ outcome, review }) => {
    if (action === 'cancel') return outcome === 'open'
    if (action === 'resend') return outcome !== 'open'
    if (action === 'fail') return isVerdict(outcome) && review === null
    return isVerdict(outcome)
  })
}

interface BulkInput {
  /** The note of every decision. */
  readonly note: string
  /** Null removes the assignment. */
  readonly reviewer: string | null
}

/** Does it to each session, and returns how many it was done to. A session that changed in the meantime is left out. */
export async function perform(
  { configuration }: Pick<ConsoleCalls, 'configuration'>,
  action: BulkAction,
  sessions: readonly ListedSession[],
  { note, reviewer }: BulkInput,
): Promise<number> {
  const ids = sessions.map(({ verificationSessionId }) => verificationSessionId)
  let done = 0
  if (action === 'assign') {
    for (let at = 0; at < ids.length; at += mostAssigned) {
      const some = ids.slice(at, at + mostAssigned)
      done += (await configuration.assignReview({ verificationSessionIds: some, reviewer })).count
    }
    return done
  }
  for (const verificationSessionId of ids) {
    const work =
      action === 'cancel'
        ? configuration.cancelSession({ verificationSessionId })
        : action === 'fail'
          ? configuration.reviewSession({
              verificationSessionId,
              decision: 'Fail',
              ifReviewedAt: null,
              ...(note.trim() !== '' && { note: note.trim() }),
            })
          : resend(configuration, verificationSessionId)
    const isDone = await work.then(
      (answer) => answer !== false,
      () => false,
    )
    if (isDone) done++
  }
  return done
}

/** Sends the deliveries of a session again that were given up. False if there are none. */
async function resend(configuration: ConsoleCalls['configuration'], id: string): Promise<boolean> {
  const found = await configuration.getDeliveries({ verificationSessionId: id, state: 'failed', limit: 100 })
  for (const { deliveryId } of found.deliveries) await configuration.resendDelivery({ deliveryId })
  return found.deliveries.length > 0
}

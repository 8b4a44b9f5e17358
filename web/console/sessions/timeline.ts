import type { getDeliveries } from '#shared/contract/account/webhook.ts'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { ResultOf } from '#shared/endpoint.ts'

export type Delivery = ResultOf<typeof getDeliveries>['deliveries'][number]

/** Something that happened in a session, at its moment. */
export type Moment = { readonly at: string } & (
  | { readonly kind: 'opened' | 'expired' | 'decided' | 'captured' | 'received' | 'reviewed' }
  | {
      readonly kind: 'delivered' | 'deliveryFailed'
      readonly delivery: Delivery
      readonly attempt: Delivery['attempts'][number]
    }
)

/** What is known of a session, in the order in which it happened; what happened at once keeps this order. */
export function timelineOf(
  session: Pick<ListedSession, 'createdAt' | 'completedAt' | 'state' | 'review'>,
  kiosk: Pick<SessionResult, 'capturedAt' | 'kiosk'>,
  deliveries: readonly Delivery[],
): Moment[] {
  const { createdAt, completedAt, state, review } = session
  const end = state === 'Expired' ? 'expired' : 'decided'
  const moments: Moment[] = [
    ...(kiosk.capturedAt === undefined ? [] : [{ kind: 'captured' as const, at: kiosk.capturedAt }]),
    ...(kiosk.kiosk === undefined ? [] : [{ kind: 'received' as const, at: kiosk.kiosk.receivedAt }]),
    { kind: 'opened', at: createdAt },
    ...(completedAt === null ? [] : [{ kind: end as 'expired' | 'decided', at: completedAt }]),
    ...deliveries.flatMap((delivery) => delivery.attempts.map((attempt) => attemptAt(delivery, attempt))),
    ...(review === null ? [] : [{ kind: 'reviewed' as const, at: review.reviewedAt }]),
  ]
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function attemptAt(delivery: Delivery, attempt: Delivery['attempts'][number]): Moment {
  const isTaken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300
  return { kind: isTaken ? 'delivered' : 'deliveryFailed', at: attempt.time, delivery, attempt }
}

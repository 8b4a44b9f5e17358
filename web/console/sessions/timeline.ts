import type { getDeliveries } from '#shared/contract/account/webhook.ts'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import type { ResultOf } from '#shared/endpoint.ts'

export type Delivery = ResultOf<typeof getDeliveries>['deliveries'][number]

type TimelineStep = SessionTimeline['steps'][number]
type Milestone = SessionTimeline['reached'][number]

/** A session event and when it happened. */
export type Moment = { readonly at: string } & (
  | { readonly kind: Milestone | 'opened' | 'expired' | 'decided' | 'captured' | 'received' | 'reviewed' }
  | { readonly kind: 'step'; readonly step: TimelineStep }
  | { readonly kind: 'tryBegun'; readonly number: number }
  | {
      readonly kind: 'delivered' | 'deliveryFailed'
      readonly delivery: Delivery
      readonly attempt: Delivery['attempts'][number]
    }
)

/** A session's events, sorted by time. Simultaneous events keep this order. */
export function timelineOf(
  session: Pick<ListedSession, 'createdAt' | 'completedAt' | 'state' | 'review'>,
  kiosk: Pick<SessionResult, 'capturedAt' | 'kiosk'>,
  deliveries: readonly Delivery[],
  { steps, reachedAt, triesBegunAt }: Pick<SessionTimeline, 'steps' | 'reachedAt' | 'triesBegunAt'>,
): Moment[] {
  const { createdAt, completedAt, state, review } = session
  const end = state === 'Expired' ? 'expired' : 'decided'
  const moments: Moment[] = [
    ...(kiosk.capturedAt === undefined ? [] : [{ kind: 'captured' as const, at: kiosk.capturedAt }]),
    ...(kiosk.kiosk === undefined ? [] : [{ kind: 'received' as const, at: kiosk.kiosk.receivedAt }]),
    { kind: 'opened', at: createdAt },
    ...milestonesAt(steps, reachedAt),
    ...triesBegunAt.map((at, before) => ({ kind: 'tryBegun' as const, at, number: before + 2 })),
    ...steps.map((step) => ({ kind: 'step' as const, at: step.answeredAt, step })),
    ...(completedAt === null ? [] : [{ kind: end as 'expired' | 'decided', at: completedAt }]),
    ...deliveries.flatMap((delivery) => delivery.attempts.map((attempt) => attemptAt(delivery, attempt))),
    ...(review === null ? [] : [{ kind: 'reviewed' as const, at: review.reviewedAt }]),
  ]
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Milestones with a known time. If there is a challenge, the first pictures are listed as a step instead. */
function milestonesAt(
  steps: readonly TimelineStep[],
  { consented, firstPicture, submitted }: SessionTimeline['reachedAt'],
): Moment[] {
  const seen = steps.length > 0 ? null : firstPicture
  const times = { consented, firstPicture: seen, submitted }
  return Object.entries(times).flatMap(([kind, at]) => (at === null ? [] : [{ kind: kind as Milestone, at }]))
}

/** Milestones that were reached, but at an unknown time. */
export function withoutTime({ reached, reachedAt }: Pick<SessionTimeline, 'reached' | 'reachedAt'>) {
  return reached.filter((milestone) => reachedAt[milestone] === null)
}

function attemptAt(delivery: Delivery, attempt: Delivery['attempts'][number]): Moment {
  const isTaken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300
  return { kind: isTaken ? 'delivered' : 'deliveryFailed', at: attempt.time, delivery, attempt }
}

import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import {
  type Deliveries,
  type Events,
  type PreparedEvent,
  together,
} from '#server/features/webhooks/webhooks.ts'
import type { Clock } from '#server/platform/store/store.ts'

/** Prepares the notifications that a session has ended, for the commit that ends it. */
export type PrepareEnd = (ended: SessionRecord) => Promise<PreparedEvent>

/** The verification's own webhook is notified of every end. Endpoints receive two events for an expiry. */
export function createPrepareEnd(
  events: Pick<Events, 'prepare'>,
  deliveries: Pick<Deliveries, 'prepare' | 'send'>,
  now: Clock,
): PrepareEnd {
  function ofHook(address: string, of: { accountId: string } & EventSubject): PreparedEvent {
    const occurredAt = new Date(now()).toISOString()
    const event = { event: 'VerificationCompleted', ...of, occurredAt, address } as const
    const { delivery, writes } = deliveries.prepare(event)
    return { writes, send: () => deliveries.send(delivery) }
  }

  return async ({ accountId, sessionId, created, settings: { callbackUrl }, state }) => {
    const of = { verificationSessionId: sessionId, sessionCreated: created }
    const prepared = [await events.prepare(accountId, { event: 'VerificationCompleted', ...of })]
    if (state === 'Expired')
      prepared.push(await events.prepare(accountId, { event: 'VerificationExpired', ...of }))
    return together(
      callbackUrl === null ? prepared : [ofHook(callbackUrl, { accountId, ...of }), ...prepared],
    )
  }
}

interface EventSubject {
  readonly verificationSessionId: string
  readonly sessionCreated: number
}

import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import type { AttentionFact, sessionEvents } from '#shared/contract/account/event.ts'
import type { Deliveries } from './deliveries.ts'
import type { EndpointStore } from './endpoint-store.ts'
import type { EventBodies } from './event-body.ts'

/** An event and its subject. */
export type NewEvent =
  | {
      readonly event: (typeof sessionEvents)[number]
      readonly verificationSessionId: string
      /** Milliseconds since 1970. An event's records expire with its session. */
      readonly sessionCreated: number
    }
  | {
      readonly event: 'PasskeyBound'
      readonly verificationSessionId: string
      readonly sessionCreated: number
      readonly externalId: string
    }
  | { readonly event: 'KioskRevoked'; readonly kioskId: string }
  | { readonly event: 'CollectionFull'; readonly collectionId: string }
  | ({ readonly event: 'AttentionNeeded' } & AttentionFact)

/** An event's deliveries to endpoints, to be written with the change that it reports and sent afterwards. */
export interface PreparedEvent {
  readonly writes: readonly Write[]
  send(): void
}

/** Reports events to an account's endpoints. */
export interface Events {
  /** For a commit, so that the event and its change are stored together. Sent after a delay, if one is given. */
  prepare(accountId: string, event: NewEvent, inMilliseconds?: number): Promise<PreparedEvent>
  /** How many endpoints would receive an event now. */
  receivers(accountId: string, event: NewEvent['event']): Promise<number>
  /** Sends events that do not belong to a commit immediately. */
  fire(accountId: string, event: NewEvent): Promise<void>
}

export function createEvents(
  store: Store,
  endpoints: Pick<EndpointStore, 'list'>,
  deliveries: Pick<Deliveries, 'prepare' | 'send'>,
  sealPerson: EventBodies['sealPerson'],
  now: Clock,
): Events {
  function sealed(accountId: string, happened: NewEvent) {
    if (happened.event === 'AttentionNeeded') {
      const { event, ...attention } = happened
      return { event, attention }
    }
    if (happened.event !== 'PasskeyBound') return happened
    const { externalId, ...rest } = happened
    return { ...rest, sealedPerson: sealPerson(accountId, rest.verificationSessionId, externalId) }
  }

  async function receiving(accountId: string, event: NewEvent['event']) {
    const all = await endpoints.list(accountId)
    return all.filter(({ switchedOff, events }) => switchedOff === null && events.includes(event))
  }

  async function prepare(accountId: string, happened: NewEvent, inMilliseconds = 0): Promise<PreparedEvent> {
    const time = now()
    const { event, ...subject } = sealed(accountId, happened)
    const about = 'sessionCreated' in subject ? subject : { ...subject, sessionCreated: time }
    const fact = { accountId, event, occurredAt: new Date(time).toISOString(), ...about }
    const prepared = (await receiving(accountId, event))
      .filter(({ endpointId }) => endpointId !== aboutEndpoint(happened))
      .map(({ endpointId, url }) => deliveries.prepare({ ...fact, endpointId, address: url }, inMilliseconds))
    return {
      writes: prepared.flatMap(({ writes }) => writes),
      send() {
        for (const { delivery } of prepared) deliveries.send(delivery, inMilliseconds)
      },
    }
  }

  return {
    prepare,
    receivers: async (accountId, event) => (await receiving(accountId, event)).length,
    async fire(accountId, event) {
      const { writes, send } = await prepare(accountId, event)
      if (writes.length > 0) await store.commit(writes, [])
      send()
    },
  }
}

/** [Note: Not to itself] An endpoint that fails is not sent the news of it, which would be one more failure. */
function aboutEndpoint(happened: NewEvent): string | undefined {
  if (happened.event !== 'AttentionNeeded' || happened.subject.type !== 'endpoint') return undefined
  return happened.subject.id
}

/** Combines several events in one commit. */
export function together(prepared: readonly PreparedEvent[]): PreparedEvent {
  return {
    writes: prepared.flatMap(({ writes }) => writes),
    send() {
      for (const { send } of prepared) send()
    },
  }
}

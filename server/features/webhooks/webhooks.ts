import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { createDeliveryStore, type DeliveryStore } from './delivery-store.ts'
import { createEndpointHealths, type EndpointHealths } from './endpoint-health.ts'
import { createEndpointService, type EndpointService } from './endpoint-service.ts'
import { createEndpointStore, type EndpointStore } from './endpoint-store.ts'
import { createSendEvent } from './event.ts'
import { createEventBodies } from './event-body.ts'
import { createEvents, type Events } from './events.ts'
import { createWebhookService, type WebhookService } from './webhook-service.ts'

export type { Deliveries } from './deliveries.ts'
export type { DeliveryStore } from './delivery-store.ts'
export type { EndpointHealths } from './endpoint-health.ts'
export type { WebhookEndpoint } from './endpoint-store.ts'
export { type Events, type NewEvent, type PreparedEvent, together } from './events.ts'

/** Notifies verifications' addresses and accounts' endpoints about events. */
export interface Webhooks {
  readonly deliveries: Deliveries
  readonly deliveryStore: DeliveryStore
  readonly events: Events
  readonly webhookService: WebhookService
  readonly endpointService: EndpointService
  readonly endpoints: Pick<EndpointStore, 'list'>
  readonly endpointHealths: EndpointHealths
}

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly accounts: Accounts
  readonly outbound: Outbound
  readonly tally: Pick<Tally, 'webhookSent' | 'webhookLost'>
  readonly retryAfterInMilliseconds: number
  readonly now: Clock
}

export function createWebhooks(ports: Dependencies): Webhooks {
  const { store, keyRing, accounts, outbound, tally, retryAfterInMilliseconds, now } = ports
  const deliveryStore = createDeliveryStore(store, now)
  const endpoints = createEndpointStore(store, keyRing, now)
  const health = createEndpointHealths(store, now)
  const { bodyOf, sealPerson } = createEventBodies(keyRing)
  const deliveries = createDeliveries({
    store,
    deliveries: deliveryStore,
    endpoints,
    health,
    sendEvent: createSendEvent({ accounts, endpoints, bodyOf, outbound, tally, now }),
    retryAfterInMilliseconds,
    onLost: tally.webhookLost,
    now,
  })
  return {
    deliveries,
    endpoints,
    endpointHealths: health,
    deliveryStore,
    events: createEvents(store, endpoints, deliveries, sealPerson, now),
    webhookService: createWebhookService(deliveryStore, endpoints, deliveries, bodyOf),
    endpointService: createEndpointService({ store, endpoints, health, deliveries, now }),
  }
}

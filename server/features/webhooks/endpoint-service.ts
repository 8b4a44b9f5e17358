import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { Problem } from '#shared/problem.ts'
import type { Deliveries } from './deliveries.ts'
import type { EndpointHealths } from './endpoint-health.ts'
import type { EndpointSettings, EndpointStore, WebhookEndpoint } from './endpoint-store.ts'

/** The administration of an account's endpoints. */
export type EndpointService = HandlersOf<
  'configuration',
  | 'createWebhookEndpoint'
  | 'getWebhookEndpoints'
  | 'updateWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'sendTestEvent'
>

interface Dependencies {
  readonly store: Store
  readonly endpoints: EndpointStore
  readonly health: Pick<EndpointHealths, 'of'>
  readonly deliveries: Pick<Deliveries, 'prepare' | 'send'>
  readonly now: Clock
}

export function createEndpointService(services: Dependencies): EndpointService {
  const { store, endpoints, health, deliveries, now } = services

  async function shown(accountId: string, { sealedSecret: _, events, ...endpoint }: WebhookEndpoint) {
    const { lastAnswer, lastHour } = await health.of(accountId, endpoint.endpointId)
    return { ...endpoint, events: [...events], enabled: endpoint.switchedOff === null, lastAnswer, lastHour }
  }

  return {
    async createWebhookEndpoint({ body: { url, events, description = null }, caller }) {
      const settings = { url, events: [...new Set(events)], description }
      const { endpointId, secret } = await endpoints.create(caller.accountId, settings)
      return { endpointId, secret: `whsec_${secret.toString('base64')}` }
    },
    getWebhookEndpoints: async ({ caller }) => ({
      endpoints: await Promise.all(
        (await endpoints.list(caller.accountId)).map((one) => shown(caller.accountId, one)),
      ),
    }),
    async updateWebhookEndpoint({ body: { endpointId, events, url, description, enabled }, caller }) {
      const settings: Partial<EndpointSettings> = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events: [...new Set(events)] }),
        ...(description !== undefined && { description }),
      }
      const change = { ...settings, ...(enabled !== undefined && { enabled }) }
      const { accountId } = caller
      return { endpoint: await shown(accountId, await endpoints.update(accountId, endpointId, change)) }
    },
    async sendTestEvent({ body: { endpointId, event }, caller: { accountId } }) {
      const endpoint = await endpoints.find(accountId, endpointId)
      if (endpoint === undefined) throw new Problem('not_found', 'The endpoint does not exist.')
      if (endpoint.switchedOff !== null)
        throw new Problem('conflict', 'The endpoint is disabled. Enable it with update-endpoint first.')
      const time = now()
      const about = { occurredAt: new Date(time).toISOString(), sessionCreated: time, isTest: true } as const
      const made = { accountId, event, endpointId, address: endpoint.url, ...about }
      const { delivery, writes } = deliveries.prepare(made)
      await store.commit(writes, [])
      deliveries.send(delivery)
      return { deliveryId: delivery.deliveryId }
    },
    async deleteWebhookEndpoint({ query, caller }) {
      await endpoints.remove(caller.accountId, query.endpointId)
      return {}
    },
  }
}

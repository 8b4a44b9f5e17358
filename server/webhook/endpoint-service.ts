import type { HandlersOf } from '#server/handlers.ts'
import type { EndpointSettings, EndpointStore, WebhookEndpoint } from './endpoint-store.ts'

/** The endpoints of an account, as its admin sees them. */
export type EndpointService = HandlersOf<
  'configuration',
  'createWebhookEndpoint' | 'getWebhookEndpoints' | 'updateWebhookEndpoint' | 'deleteWebhookEndpoint'
>

export function createEndpointService(endpoints: EndpointStore): EndpointService {
  return {
    async createWebhookEndpoint({ body: { url, events, description = null }, caller }) {
      const settings = { url, events: [...new Set(events)], description }
      const { endpointId, secret } = await endpoints.create(caller.accountId, settings)
      return { endpointId, secret: `whsec_${secret.toString('base64')}` }
    },
    getWebhookEndpoints: async ({ caller }) => ({
      endpoints: (await endpoints.list(caller.accountId)).map(shown),
    }),
    async updateWebhookEndpoint({ body: { endpointId, events, url, description, enabled }, caller }) {
      const settings: Partial<EndpointSettings> = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events: [...new Set(events)] }),
        ...(description !== undefined && { description }),
      }
      const change = { ...settings, ...(enabled !== undefined && { enabled }) }
      return { endpoint: shown(await endpoints.update(caller.accountId, endpointId, change)) }
    },
    async deleteWebhookEndpoint({ query, caller }) {
      await endpoints.remove(caller.accountId, query.endpointId)
      return {}
    },
  }
}

function shown({ sealedSecret: _secret, events, ...endpoint }: WebhookEndpoint) {
  return { ...endpoint, events: [...events], enabled: endpoint.switchedOff === null }
}

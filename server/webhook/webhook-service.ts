import type { HandlersOf } from '#server/handlers.ts'
import { Problem } from '#shared/problem.ts'
import type { Deliveries } from './deliveries.ts'
import type { Below, Delivery, DeliveryStore } from './delivery-store.ts'

/** The delivery log, as an account's admin sees it. */
export type WebhookService = HandlersOf<'configuration', 'getDeliveries' | 'resendDelivery'>

export function createWebhookService(store: DeliveryStore, deliveries: Deliveries): WebhookService {
  return {
    async getDeliveries({ query: { limit, cursor, verificationSessionId }, caller: { accountId } }) {
      const below = cursor === undefined ? undefined : belowOf(cursor)
      const found =
        verificationSessionId === undefined
          ? await store.page(accountId, limit + 1, below)
          : await store.ofSession(accountId, verificationSessionId, below)
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const nextCursor = found.length > limit && last !== undefined ? cursorOf(last) : null
      return { deliveries: page.map(shown), nextCursor }
    },
    async resendDelivery({ body, caller: { accountId } }) {
      const read = await store.read({ accountId, deliveryId: body.deliveryId })
      if (read === undefined) throw new Problem('not_found', 'There is no such delivery.')
      return { deliveryId: (await deliveries.resend(read.value)).deliveryId }
    },
  }
}

function cursorOf({ created, deliveryId }: Delivery): string {
  return `${Date.parse(created)}.${deliveryId}`
}

function belowOf(cursor: string): Below {
  const [created, deliveryId] = cursor.split('.') as [string, string]
  return { created: Number(created), deliveryId }
}

function shown({ accountId: _account, keepUntil: _until, attempts, ...delivery }: Delivery) {
  return { ...delivery, attempts: [...attempts] }
}

import type { HandlersOf } from '#server/features/callers/callers.ts'
import { Problem } from '#shared/problem.ts'
import type { Deliveries } from './deliveries.ts'
import type { Delivery, DeliveryFilter, DeliveryStore, PageBound } from './delivery-store.ts'
import type { EndpointStore } from './endpoint-store.ts'
import type { EventBodies } from './event-body.ts'

/** Far more than an outage leaves in a page of the log. */
const readAtOnce = 200

/** The delivery log for an account's admin. */
export type WebhookService = HandlersOf<'configuration', 'getDeliveries' | 'resendDelivery' | 'resendFailed'>

export function createWebhookService(
  store: DeliveryStore,
  endpoints: Pick<EndpointStore, 'find'>,
  deliveries: Deliveries,
  bodyOf: EventBodies['bodyOf'],
): WebhookService {
  /** True if there is an address to send it to. */
  async function isSendable({ accountId, endpointId }: Delivery): Promise<boolean> {
    return endpointId === null || (await endpoints.find(accountId, endpointId))?.switchedOff === null
  }

  /** Newest first. If a delivery was sent again, only the latest one is included. */
  async function* latest(accountId: string, since: number, endpointId: string | undefined) {
    const wanted: DeliveryFilter = endpointId === undefined ? null : (one) => one.endpointId === endpointId
    const sentAgain = new Set<string>()
    for (let below: PageBound | undefined; ; ) {
      const page = await store.page(accountId, readAtOnce, below, wanted)
      for (const delivery of page) {
        if (Date.parse(delivery.created) < since) return
        if (!sentAgain.has(delivery.deliveryId)) yield delivery
        if (delivery.resendOf !== null) sentAgain.add(delivery.resendOf)
      }
      const last = page.at(-1)
      if (last === undefined || page.length < readAtOnce) return
      below = { created: Date.parse(last.created), deliveryId: last.deliveryId }
    }
  }

  return {
    async getDeliveries({ query, caller: { accountId } }) {
      const { limit, cursor, verificationSessionId, state, endpointId } = query
      const below = cursor === undefined ? undefined : belowOf(cursor)
      const wanted = (one: Delivery) =>
        (state === undefined || one.state === state) &&
        (endpointId === undefined || one.endpointId === endpointId)
      const found =
        verificationSessionId === undefined
          ? await store.page(accountId, limit + 1, below, wanted)
          : (await store.ofSession(accountId, verificationSessionId, below)).filter(wanted)
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const nextCursor = found.length > limit && last !== undefined ? cursorOf(last) : null
      return { deliveries: page.map((one) => ({ ...shown(one), body: bodyOf(one) })), nextCursor }
    },
    async resendDelivery({ body, caller: { accountId } }) {
      const read = await store.read({ accountId, deliveryId: body.deliveryId })
      if (read === undefined) throw new Problem('not_found', 'The delivery does not exist.')
      if (!(await isSendable(read.value)))
        throw new Problem('conflict', 'The endpoint of this delivery was deleted or is disabled.')
      return { deliveryId: (await deliveries.resend(read.value)).deliveryId }
    },
    async resendFailed({ body: { since, endpointId }, caller: { accountId } }) {
      const failed: Delivery[] = []
      for await (const delivery of latest(accountId, Date.parse(since), endpointId))
        if (delivery.state === 'failed' && (await isSendable(delivery))) failed.push(delivery)
      for (const delivery of failed) await deliveries.resend(delivery)
      return { count: failed.length }
    },
  }
}

function cursorOf({ created, deliveryId }: Delivery): string {
  return `${Date.parse(created)}.${deliveryId}`
}

function belowOf(cursor: string): PageBound {
  const [created, deliveryId] = cursor.split('.') as [string, string]
  return { created: Number(created), deliveryId }
}

function shown(delivery: Delivery) {
  const {
    accountId: _account,
    keepUntil: _until,
    sealedPerson: _person,
    attention: _fact,
    ...rest
  } = delivery
  const { attempts, isTest = false, ...shown } = rest
  return { ...shown, test: isTest, attempts: [...attempts] }
}

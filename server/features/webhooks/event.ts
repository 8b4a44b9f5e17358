import { createHmac } from 'node:crypto'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import { type Account, environmentOf } from '#server/features/callers/callers.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'
import { isLoopbackAddress } from '#shared/web-address.ts'
import type { Attempt, Delivery } from './delivery-store.ts'
import type { EndpointStore } from './endpoint-store.ts'
import type { EventBodies } from './event-body.ts'
import { classOf } from './failure.ts'

const timeoutInMilliseconds = 5000

/** Sends an event once, and returns the outcome within 5 seconds. */
export type SendEvent = (delivery: Delivery) => Promise<Outcome>

type Outcome = Pick<Attempt, 'status' | 'error'>

/** True only for a 2xx. */
export function isTaken({ status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300
}

interface Dependencies {
  accounts: Accounts
  endpoints: Pick<EndpointStore, 'find' | 'secretOf'>
  bodyOf: EventBodies['bodyOf']
  outbound: Outbound
  tally: Pick<Tally, 'webhookSent'>
  now: Clock
}

export function createSendEvent(services: Dependencies): SendEvent {
  const { accounts, endpoints, bodyOf, outbound, tally, now } = services

  /** The headers for a verification's address: signatures with the account's secrets, and its key. */
  async function hookHeaders(account: Account, { webhookId, address }: Delivery, body: string) {
    return {
      ...signatureHeaders(webhookId, body, accounts.webhookSecrets(account), now),
      ...(await keyHeader(account, accounts, address)),
    }
  }

  /** [Note: Endpoints get no key] An endpoint gets only a signature with its own secret. */
  async function endpointHeaders({ accountId, endpointId, webhookId }: Delivery, body: string) {
    const endpoint = await endpoints.find(accountId, endpointId ?? '')
    return endpoint && signatureHeaders(webhookId, body, [endpoints.secretOf(accountId, endpoint)], now)
  }

  async function send(delivery: Delivery): Promise<Outcome> {
    const account = await accounts.find(delivery.accountId)
    const body = bodyOf(delivery)
    const own =
      account === undefined
        ? undefined
        : delivery.endpointId === null
          ? await hookHeaders(account, delivery, body)
          : await endpointHeaders(delivery, body)
    if (account === undefined || own === undefined) return { status: null, error: 'interrupted' }
    const headers = { 'Content-Type': 'application/json', ...environmentHeader(account), ...own }
    const post = { address: delivery.address, headers, body, timeoutInMilliseconds }
    return outbound.post(post).then(
      (status) => ({ status, error: null }),
      (error) => ({ status: null, error: classOf(error) }),
    )
  }

  return async (delivery) => {
    const outcome = await send(delivery)
    tally.webhookSent(isTaken(outcome))
    return outcome
  }
}

function environmentHeader(account: Account): Record<string, string> {
  return environmentOf(account) === 'test' ? { 'X-Selfsame-Environment': 'test' } : {}
}

/**
 * The Standard Webhooks headers, so that a receiver does not have to trust a shared key. During a rotation, each secret
 * produces a signature, so that a receiver may switch at any time.
 */
function signatureHeaders(id: string, body: string, secrets: readonly Uint8Array[], now: Clock) {
  const timestamp = String(Math.floor(now() / 1000))
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`)
    return `v1,${mac.digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** [Note: The key travels safely] The key is sent over https or within this machine, never unencrypted. */
async function keyHeader(
  account: Account,
  accounts: Accounts,
  address: string,
): Promise<Record<string, string>> {
  const isSafe = /^https:/i.test(address) || isLoopbackAddress(address)
  const primary = account.webhookCarriesKey && isSafe ? await accounts.keys.primary(account) : undefined
  return primary === undefined ? {} : { 'X-API-Key': primary.value }
}

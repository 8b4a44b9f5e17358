import { createHmac } from 'node:crypto'
import type { Account } from '#server/accounts/account.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { Outbound } from '#server/http/outbound.ts'
import type { Clock } from '#server/store/store.ts'
import type { WebhookEvent } from '#shared/contract/webhook.ts'
import { isLoopbackAddress } from '#shared/web-address.ts'
import type { Delivery } from './deliveries.ts'

const timeoutInMilliseconds = 5000

/** Sends an event once; answers whether the receiver took it (2xx within 5 seconds). */
export type SendEvent = (delivery: Delivery) => Promise<boolean>

export function createSendEvent(accounts: Accounts, outbound: Outbound, now: Clock): SendEvent {
  return async (delivery) => {
    const account = await accounts.find(delivery.accountId)
    if (account === undefined) return false
    const body = bodyOf(delivery)
    const headers = {
      'Content-Type': 'application/json',
      ...signatureHeaders(delivery.deliveryId, body, accounts.webhookSecrets(account), now),
      ...(await keyHeader(account, accounts, delivery.address)),
    }
    const post = { address: delivery.address, headers, body, timeoutInMilliseconds }
    return outbound.post(post).then(
      (status) => status >= 200 && status < 300,
      () => false,
    )
  }
}

function bodyOf({ verificationSessionId }: Delivery): string {
  return JSON.stringify({ event: 'VerificationCompleted', verificationSessionId } satisfies WebhookEvent)
}

/**
 * The Standard Webhooks headers: a receiver need not trust a shared key. While a rotation overlaps there is a signature
 * by each secret, so that a receiver may change over at any time.
 */
function signatureHeaders(id: string, body: string, secrets: readonly Uint8Array[], now: Clock) {
  const timestamp = String(Math.floor(now() / 1000))
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`)
    return `v1,${mac.digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** [Note: The key travels safely] by https, or within this machine; never in the clear. */
async function keyHeader(
  account: Account,
  accounts: Accounts,
  address: string,
): Promise<Record<string, string>> {
  const isSafe = address.startsWith('https:') || isLoopbackAddress(address)
  const primary = account.webhookCarriesKey && isSafe ? await accounts.primaryKey(account) : undefined
  return primary === undefined ? {} : { 'X-API-Key': primary.value }
}

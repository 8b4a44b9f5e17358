import * as v from 'valibot'
import { type AccountEvent, accountEvent } from '../contract/account/event.ts'
import { type WebhookEvent, webhookEvent } from '../contract/account/webhook.ts'
import { Problem } from '../problem.ts'
import { fromBase64 } from './base64.ts'
import { platform } from './platform.ts'

/** Request headers, either from `fetch` or as Node's plain object. */
export type Headers =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** An event as it arrived. */
export interface ReceivedWebhook {
  readonly headers: Headers
  /** The raw request body, before any parsing. */
  readonly body: string
  /** The webhook secret of the account or of its endpoint, in Base64, with or without the `whsec_` prefix. */
  readonly secret: string
  /** The maximum age of an event. Defaults to 300. */
  readonly toleranceInSeconds?: number
}

/**
 * Verifies the Standard Webhooks signature of an event for a verification's `eventCallbackUrl` and returns the event.
 * `webhook-id` identifies the event. To ignore repeats, remember the ids of the last minutes.
 * @throws {Problem} `signature_invalid` if the event is not from Selfsame, was altered or is too old
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  await refuseUnsigned(received)
  return v.parse(webhookEvent, JSON.parse(received.body))
}

/** Like `verifyWebhook`, but for an event sent to an endpoint of the account. `secret` is the endpoint's secret. */
export async function verifyEvent(received: ReceivedWebhook): Promise<AccountEvent> {
  await refuseUnsigned(received)
  return v.parse(accountEvent, JSON.parse(received.body))
}

async function refuseUnsigned(received: ReceivedWebhook): Promise<void> {
  const { headers, body, secret, toleranceInSeconds = 300 } = received
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  )
  const ageInSeconds = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(ageInSeconds <= toleranceInSeconds)) throw notOurs('The event is too old, or says no time.')
  const content = new platform.TextEncoder().encode(`${id}.${timestamp}.${body}`)
  if (!(await isSigned(content, signatures ?? '', secret))) throw notOurs('No signature of the event holds.')
}

/** While two secrets are valid at the same time, an event carries several signatures. One valid signature is enough. */
async function isSigned(content: Uint8Array, signatures: string, secret: string): Promise<boolean> {
  const { subtle } = platform.crypto
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const [, signature] of signatures.matchAll(/(?:^| )v1,([A-Za-z0-9+/]{43}=)(?= |$)/g)) {
    if (await subtle.verify('HMAC', key, fromBase64(signature!), content)) return true
  }
  return false
}

function readHeader(headers: Headers, name: string): string | undefined {
  const value =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

function notOurs(detail: string): Problem {
  return new Problem('signature_invalid', detail)
}

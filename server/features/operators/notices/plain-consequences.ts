import type { Consequence } from '#shared/contract/console/consequences.ts'
import type { ConsoleOperation } from '#shared/contract/console/operator-roles.ts'

/** What some calls lead to whatever stands before: their permission asks for the passkey already. */
const plain: Partial<Readonly<Record<ConsoleOperation, Consequence>>> = {
  deleteVerification: 'verificationDeleted',
  createKey: 'keyMade',
  setPrimaryKey: 'keySent',
  createWebhookEndpoint: 'resultElsewhere',
  updateWebhookEndpoint: 'resultElsewhere',
}

/** Undefined where there is none, or where it depends on more than the call. */
export function consequenceOfCall(name: string, body: unknown): Consequence | undefined {
  if (name === 'updateWebhookEndpoint' && Object(body).url === undefined) return undefined
  return plain[name as ConsoleOperation]
}

import { randomBytes, randomUUID } from 'node:crypto'
import type { AuditLog } from '#server/features/audit/audit.ts'
import type { Account, ApiKey } from '#server/features/callers/callers.ts'
import type { Clock, Write } from '#server/platform/store/store.ts'
import { deployment, type Table } from '#server/platform/store/tables.ts'
import type { ActorKind } from '#shared/contract/account/audit.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { scopes as everyScope, type Scope } from '#shared/endpoint.ts'
import type { AccountSecrets } from './account-secrets.ts'
import type { ApiKeys } from './api-keys.ts'

export interface NewAccount {
  readonly account: Account
  readonly apiKey: string
  /** The key that its webhooks carry, if it is a separate key. */
  readonly webhookKey?: string
}

/** The initial settings for a purpose's account. */
export interface Beginning {
  /** The first key's value, if the caller chose it. */
  readonly apiKey?: string | undefined
  /** True if its webhooks carry a key without access instead of the first one. */
  readonly hasWebhookKey?: boolean
}

interface Workshop {
  readonly accounts: Table<Account>
  readonly keys: ApiKeys
  readonly secrets: AccountSecrets
  readonly auditLog: Pick<AuditLog, 'begin'>
  readonly now: Clock
}

/** A requested key. */
export interface AskedKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly mode?: Environment | undefined
  /** The key's value, if the caller chose it. */
  readonly value?: string | undefined
}

/** [Note: Webhooks carry nothing that opens] Webhook receivers, and people who read their logs, never get a usable key. */
const webhookKey: AskedKey = { name: 'Webhooks', scopes: [] }

export const firstKey: AskedKey = { name: 'First key', scopes: everyScope }

export type MadeAccount = NewAccount & { readonly key: ApiKey; readonly writes: Write[] }

/** A new account with its first key, and the writes that store both. */
export function makeAccount(
  { accounts, keys, secrets, auditLog, now }: Workshop,
  name: string,
  by: ActorKind,
  first = firstKey,
  settings: Partial<Account> = {},
  hasWebhookKey = false,
): MadeAccount {
  const accountId = randomUUID()
  const own = hasWebhookKey ? keys.make(accountId, webhookKey.name, webhookKey.scopes) : undefined
  const { key, apiKey, writes } = keys.make(accountId, first.name, first.scopes, first.value)
  const account: Account = {
    accountId,
    name,
    created: new Date(now()).toISOString(),
    primaryKeyId: (own?.key ?? key).keyId,
    signingKeys: secrets.first('signing-key', accountId),
    webhookSecrets: secrets.first('webhook-secret', accountId),
    webhookCarriesKey: true,
    accentColour: null,
    logo: null,
    embedOrigins: [],
    attemptLimit: null,
    defaultTokenScope: null,
    sealedPersonKey: secrets.seal('person-key', accountId, randomBytes(32)),
    changes: 0,
    ...settings,
  }
  const begun = auditLog.begin(accountId, {
    actor: { kind: by, keyId: null, tokenId: null },
    resources: { accountId, keyId: key.keyId },
    outcome: 'succeeded',
  })
  const written = accounts.write(deployment, accountId, account)
  return {
    account,
    apiKey,
    key,
    writes: [written, ...writes, ...(own?.writes ?? []), ...begun],
    ...(own !== undefined && { webhookKey: own.apiKey }),
  }
}

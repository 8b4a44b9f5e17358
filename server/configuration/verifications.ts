import { randomUUID } from 'node:crypto'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { AccountCaller } from '#server/accounts/caller.ts'
import type { Clock, Store } from '#server/store/store.ts'
import { createTable, deployment } from '#server/store/tables.ts'
import type {
  createVerification,
  getVerification,
  VerificationConfig,
  VerificationDetail,
} from '#shared/contract/verification.ts'
import { scopes as everyScope, type Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

export interface Verifications {
  create: Handler<typeof createVerification, AccountCaller>
  get: Handler<typeof getVerification, AccountCaller>
  find(accountId: string, verificationId: string): Promise<VerificationDetail | undefined>
  /** For the entry page, where no credential names the account. */
  ownerOf(verificationId: string): Promise<string | undefined>
  findByName(accountId: string, name: string): Promise<VerificationDetail | undefined>
}

interface Dependencies {
  store: Store
  accounts: Accounts
  now: Clock
}

/** Reusable verification configurations. Names are unique per account. */
export function createVerifications({ store, accounts, now }: Dependencies): Verifications {
  const details = createTable<VerificationDetail>(store, 'verification')
  const names = createTable<string>(store, 'verification-name')
  const owners = createTable<string>(store, 'verification-owner')

  return {
    async create({ body, caller }) {
      const { accountId } = caller
      if (body.verificationConfig.webhookConfig?.eventCallbackUrl !== undefined)
        await mayAimWebhook(caller, accounts)
      const verificationId = randomUUID()
      const timestamp = new Date(now()).toISOString()
      const detail: VerificationDetail = {
        verificationId,
        name: body.name,
        created: timestamp,
        lastModified: timestamp,
        verificationConfig: withDefaults(body.verificationConfig),
      }
      const writes = [
        details.write(accountId, verificationId, detail),
        names.write(accountId, body.name, verificationId),
        owners.write(deployment, verificationId, accountId),
      ]
      const created = await store.commit(writes, [names.absent(accountId, body.name)])
      if (!created) throw new Problem('conflict', 'A verification with this name exists.')
      return { verificationId }
    },
    async get({ query, caller }) {
      const verification = await details.get(caller.accountId, query.verificationId)
      if (verification === undefined) throw new Problem('not_found', 'There is no such verification.')
      return { verification }
    },
    find: (accountId, verificationId) => details.get(accountId, verificationId),
    ownerOf: (verificationId) => owners.get(deployment, verificationId),
    async findByName(accountId, name) {
      const verificationId = await names.get(accountId, name)
      return verificationId === undefined ? undefined : details.get(accountId, verificationId)
    },
  }
}

/** [Note: Signed by default] `forceSignedInput` is true unless somebody says otherwise, and is shown. */
function withDefaults(config: VerificationConfig): VerificationConfig {
  return { ...config, securityConfig: { forceSignedInput: true, ...config.securityConfig } }
}

/**
 * [Note: Webhooks carry a key] Whoever aims a webhook receives the account's primary key with it, so they need every
 * scope that this key has; else `configure` would be a way to `admin`.
 */
async function mayAimWebhook(caller: AccountCaller, accounts: Accounts): Promise<void> {
  const account = await accounts.find(caller.accountId)
  const primary = account && (await accounts.findKey(caller.accountId, account.primaryKeyId))
  const needed = everyScope.filter((scope) => primary?.scopes.includes(scope))
  if (needed.every((scope) => caller.scopes.includes(scope))) return
  throw new Problem('forbidden', 'Setting eventCallbackUrl needs every scope of the key that webhooks carry.')
}

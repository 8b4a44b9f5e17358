import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sameSecret } from '#server/security/constant-time.ts'
import type { KeyRing } from '#server/security/key-ring.ts'
import type { Clock, Store, Write } from '#server/store/store.ts'
import { createTable, deployment } from '#server/store/tables.ts'
import { scopes as everyScope, type Scope } from '#shared/endpoint.ts'
import type { Account, ApiKey } from './account.ts'

const lastUseResolutionInMilliseconds = 60_000

export interface Accounts {
  /** Makes an account with one key of every scope; the key's value is told here only. */
  create(name: string): Promise<NewAccount>
  /** As `create`, but once for each purpose in the life of a store; undefined ever after. */
  createOnce(purpose: string, name: string): Promise<NewAccount | undefined>
  /** The account that was made for a purpose. */
  findByPurpose(purpose: string): Promise<Account | undefined>
  createKey(
    accountId: string,
    name: string,
    scopes: readonly Scope[],
  ): Promise<{ key: ApiKey; apiKey: string }>
  revokeKey(accountId: string, keyId: string): Promise<void>
  find(accountId: string): Promise<Account | undefined>
  findKey(accountId: string, keyId: string): Promise<ApiKey | undefined>
  /** The key of this value, unless it is unknown or revoked. Notes its use. */
  authenticate(apiKey: string): Promise<ApiKey | undefined>
  primaryKey(account: Account): Promise<{ key: ApiKey; value: string } | undefined>
  signingKeys(account: Account): Buffer[]
  webhookSecret(account: Account): Buffer
}

export interface NewAccount {
  readonly account: Account
  readonly apiKey: string
}

interface Dependencies {
  store: Store
  keyRing: KeyRing
  now: Clock
}

/** Accounts and their API keys. Look-up is by hash; values are sealed as well, because webhooks carry one. */
export function createAccounts({ store, keyRing, now }: Dependencies): Accounts {
  const accounts = createTable<Account>(store, 'account')
  const keys = createTable<ApiKey>(store, 'api-key')
  const purposes = createTable<string>(store, 'account-by-purpose')
  const keysByDigest = createTable<{ accountId: string; keyId: string }>(store, 'api-key-by-digest')
  const timestamp = () => new Date(now()).toISOString()

  function makeKey(accountId: string, name: string, scopes: readonly Scope[]) {
    const apiKey = randomBytes(32).toString('base64url')
    const keyId = randomUUID()
    const key: ApiKey = {
      keyId,
      accountId,
      name,
      scopes,
      created: timestamp(),
      lastUsed: null,
      revoked: false,
      digest: digestOf(apiKey),
      sealedValue: keyRing.seal('api-key', `${accountId}/${keyId}`, Buffer.from(apiKey)),
    }
    const writes = [
      keys.write(accountId, keyId, key),
      keysByDigest.write(deployment, key.digest, { accountId, keyId }),
    ]
    return { key, apiKey, writes }
  }

  function makeAccount(name: string): NewAccount & { writes: Write[] } {
    const accountId = randomUUID()
    const { key, apiKey, writes } = makeKey(accountId, 'First key', everyScope)
    const sealed = (use: string) => keyRing.seal(use, accountId, randomBytes(32))
    const account: Account = {
      accountId,
      name,
      created: timestamp(),
      primaryKeyId: key.keyId,
      sealedSigningKeys: [sealed('signing-key')],
      sealedWebhookSecret: sealed('webhook-secret'),
      webhookCarriesKey: true,
    }
    return { account, apiKey, writes: [accounts.write(deployment, accountId, account), ...writes] }
  }

  async function noteUse(key: ApiKey): Promise<void> {
    if (key.lastUsed !== null && now() - Date.parse(key.lastUsed) < lastUseResolutionInMilliseconds) return
    const read = await keys.read(key.accountId, key.keyId)
    if (read === undefined) return
    const used = keys.write(key.accountId, key.keyId, { ...read.value, lastUsed: timestamp() })
    await store.commit([used], [read.guard])
  }

  return {
    async create(name) {
      const { writes, ...made } = makeAccount(name)
      await store.commit(writes, [])
      return made
    },
    async createOnce(purpose, name) {
      const { writes, ...made } = makeAccount(name)
      const mark = purposes.write(deployment, purpose, made.account.accountId)
      const created = await store.commit([...writes, mark], [purposes.absent(deployment, purpose)])
      return created ? made : undefined
    },
    async findByPurpose(purpose) {
      const accountId = await purposes.get(deployment, purpose)
      return accountId === undefined ? undefined : accounts.get(deployment, accountId)
    },
    async createKey(accountId, name, scopes) {
      const { key, apiKey, writes } = makeKey(accountId, name, scopes)
      await store.commit(writes, [])
      return { key, apiKey }
    },
    async revokeKey(accountId, keyId) {
      const key = await keys.get(accountId, keyId)
      if (key !== undefined) await keys.put(accountId, keyId, { ...key, revoked: true })
    },
    find: (accountId) => accounts.get(deployment, accountId),
    findKey: (accountId, keyId) => keys.get(accountId, keyId),
    async authenticate(apiKey) {
      const digest = digestOf(apiKey)
      const found = await keysByDigest.get(deployment, digest)
      const key = found && (await keys.get(found.accountId, found.keyId))
      const known = sameSecret(digest, key?.digest ?? '')
      if (!known || key === undefined || key.revoked) return undefined
      await noteUse(key)
      return key
    },
    async primaryKey(account) {
      const key = await keys.get(account.accountId, account.primaryKeyId)
      if (key === undefined || key.revoked) return undefined
      const value = keyRing.open('api-key', `${key.accountId}/${key.keyId}`, key.sealedValue).toString()
      return { key, value }
    },
    signingKeys: (account) =>
      account.sealedSigningKeys.map((sealed) => keyRing.open('signing-key', account.accountId, sealed)),
    webhookSecret: (account) =>
      keyRing.open('webhook-secret', account.accountId, account.sealedWebhookSecret),
  }
}

function digestOf(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}

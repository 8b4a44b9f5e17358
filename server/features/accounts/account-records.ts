import { createHmac } from 'node:crypto'
import type { AuditLog } from '#server/features/audit/audit.ts'
import { type Account, type ApiKey, environmentOf } from '#server/features/callers/callers.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type Table } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { ActorKind } from '#shared/contract/account/audit.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { Scope } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { type AccountSecrets, createAccountSecrets } from './account-secrets.ts'
import { type ApiKeys, createApiKeys, endedKey, type NewKey } from './api-keys.ts'
import { readKey, refuseLastAdmin } from './key-refusals.ts'
import {
  type AskedKey,
  type Beginning,
  firstKey,
  type MadeAccount,
  makeAccount,
  type NewAccount,
} from './new-account.ts'

/** How many accounts are cached in decoded form, because every request reads one. */
const mostKept = 1000
const day = 24 * 3600 * 1000
/** The longest lifetime of an expiring link. */
const signingKeyOverlapInMilliseconds = 7 * day
const webhookSecretOverlapInMilliseconds = day

/** Settings that an account may change itself. */
export type AccountSettings = Partial<
  Pick<
    Account,
    | 'name'
    | 'webhookCarriesKey'
    | 'accentColour'
    | 'logo'
    | 'embedOrigins'
    | 'attemptLimit'
    | 'defaultTokenScope'
    | 'secondOpinionPercent'
    | 'displayName'
    | 'supportUrl'
    | 'look'
  >
>

/** Writes that belong to the same commit as the account's change. */
export type AccompanyingWrites = (before: Account) => Promise<readonly Write[]>

/** The API keys of accounts. */
export interface AccountKeys {
  /** A test key belongs to the account's shadow, which is created along with the first test key. */
  create(accountId: string, name: string, scopes: readonly Scope[], mode?: Environment): Promise<NewKey>
  find(accountId: string, keyId: string): Promise<ApiKey | undefined>
  list(accountId: string): Promise<ApiKey[]>
  /**
   * Revokes a key immediately, or after an overlap with its replacement. A second revocation keeps the earlier time.
   * @throws {Problem} 404 for an unknown key; 409 for the primary key and for the last one with the scope `admin`
   */
  revoke(accountId: string, keyId: string, overlapInSeconds?: number): Promise<void>
  /** @throws {Problem} 404 for an unknown key, 409 for a revoked one */
  setPrimary(accountId: string, keyId: string): Promise<Account>
  /** The key with this value, unless it is unknown or revoked. Records that it was used. */
  authenticate(apiKey: string): Promise<ApiKey | undefined>
  primary(account: Account): Promise<{ key: ApiKey; value: string } | undefined>
  /** True if any account's webhooks carry a key with the scope `admin`. */
  anyWebhookCarriesAdmin(): Promise<boolean>
}

export interface Accounts {
  /** Creates an account with one key that has every scope. This is the only place where the key's value is returned. */
  create(name: string, by?: ActorKind): Promise<NewAccount>
  /**
   * Like `create`, but only once per purpose in a store's lifetime; undefined if that has already happened. The key has the
   * given value, if there is one.
   */
  createOnce(purpose: string, name: string, beginning?: Beginning): Promise<NewAccount | undefined>
  /** The account that was created for a purpose. */
  findByPurpose(purpose: string): Promise<Account | undefined>
  find(accountId: string): Promise<Account | undefined>
  /** Every account, oldest first. */
  list(): Promise<Account[]>
  /** @throws {Problem} 404 if the account does not exist, as do all methods that follow */
  update(accountId: string, settings: AccountSettings, alongside?: AccompanyingWrites): Promise<Account>
  readonly keys: AccountKeys
  rotateSigningKey(accountId: string, immediately: boolean): Promise<Account>
  rotateWebhookSecret(accountId: string, immediately: boolean): Promise<{ account: Account; secret: Buffer }>
  /** Keys for one purpose, derived from the valid signing keys. The first one signs. */
  signingKeys(account: Account, purpose: string): Buffer[]
  /** The valid secrets, newest first. Each one signs. */
  webhookSecrets(account: Account): Buffer[]
  /** Identifies a person by a digest that is meaningless without the account's key. */
  personDigest(account: Account, externalId: string): string
}

export interface AccountRecordPorts {
  store: Store
  auditLog: Pick<AuditLog, 'begin'>
  keyRing: KeyRing
  now: Clock
  /** True if a key was revoked, even if its record does not show it. */
  isKeyWithdrawn?: (accountId: string, keyId: string) => boolean
}

/** Additional writes and guards for an account change. */
interface Change {
  readonly account: Account
  readonly writes?: readonly Write[]
  readonly guards?: readonly Guard[]
}

/** The dependencies for storing and changing accounts. */
interface Books extends AccountRecordPorts {
  readonly accounts: Table<Account>
  readonly keys: ApiKeys
  readonly secrets: AccountSecrets
}

/** Accounts and their API keys. */
export function createAccountRecords(services: AccountRecordPorts): Accounts {
  const { store, keyRing, now } = services
  const accounts = createTable<Account>(store, 'account', { kept: mostKept })
  const purposes = createTable<string>(store, 'account-by-purpose')
  const keys = createApiKeys(store, keyRing, now, services.isKeyWithdrawn)
  const secrets = createAccountSecrets(keyRing, now)
  const books: Books = { ...services, accounts, keys, secrets }

  return {
    async create(name, by = 'server') {
      const { writes, account, apiKey } = makeAccount(books, name, by)
      await store.commit(writes, [])
      return { account, apiKey }
    },
    async createOnce(purpose, name, { apiKey: value, hasWebhookKey } = {}) {
      const first = { ...firstKey, value }
      const { writes, key: _key, ...made } = makeAccount(books, name, 'server', first, {}, hasWebhookKey)
      const mark = purposes.write(deployment, purpose, made.account.accountId)
      const created = await store.commit([...writes, mark], [purposes.absent(deployment, purpose)])
      return created ? made : undefined
    },
    async findByPurpose(purpose) {
      const accountId = await purposes.get(deployment, purpose)
      return accountId === undefined ? undefined : accounts.get(deployment, accountId)
    },
    find: (accountId) => accounts.get(deployment, accountId),
    list: async () =>
      (await allOf(accounts.listReadable(deployment))).sort(
        (a, b) => Date.parse(a.created) - Date.parse(b.created),
      ),
    update: (accountId, settings, alongside = async () => []) =>
      change(books, accountId, async (before) => ({
        account: {
          ...before,
          ...settings,
          look: { ...before.look, ...settings.look },
          ...(before.testOf !== undefined && { attemptLimit: 'off' }),
        },
        writes: await alongside(before),
      })),
    keys: {
      create: (accountId, name, scopes, mode) => createKey(books, accountId, { name, scopes, mode }),
      find: keys.find,
      list: keys.list,
      revoke: (...which) => revokeKey(books, ...which),
      setPrimary: (accountId, keyId) => setPrimaryKey(books, accountId, keyId),
      authenticate: keys.authenticate,
      primary: (account) => findPrimaryKey(keys, account),
      anyWebhookCarriesAdmin: () => anyWebhookCarriesAdmin(books),
    },
    rotateSigningKey: (accountId, immediately) => rotateSigningKey(books, accountId, immediately),
    rotateWebhookSecret: (accountId, immediately) => rotateWebhookSecret(books, accountId, immediately),
    signingKeys: ({ accountId, signingKeys }, purpose) =>
      secrets.deriveAll('signing-key', accountId, signingKeys, purpose),
    webhookSecrets: ({ accountId, webhookSecrets }) =>
      secrets.openAll('webhook-secret', accountId, webhookSecrets),
    personDigest: ({ accountId, sealedPersonKey }, externalId) =>
      createHmac('sha256', secrets.open('person-key', accountId, sealedPersonKey))
        .update(externalId)
        .digest('base64url'),
  }
}

/**
 * [Note: Test is a shadow account] A test key belongs to a separate account that is linked to the live one only by its ID, so
 * everything that belongs to an account is separate.
 */
async function createKey(books: Books, accountId: string, asked: AskedKey): Promise<NewKey> {
  const before = asked.mode === 'test' ? await books.accounts.get(deployment, accountId) : undefined
  const owner = before?.testAccountId ?? accountId
  if (before !== undefined && environmentOf(before) === 'live' && before.testAccountId === undefined)
    return createShadow(books, accountId, asked)
  const { writes, ...made } = books.keys.make(owner, asked.name, asked.scopes)
  await books.store.commit(writes, [])
  return made
}

/**
 * Creates a live account's shadow with its first key. If several calls run at once, one creates it and the others add their
 * keys to it.
 */
async function createShadow(books: Books, accountId: string, first: AskedKey): Promise<NewKey> {
  let made: MadeAccount | undefined
  await change(books, accountId, (before) => {
    const { name, accentColour, embedOrigins, testAccountId } = before
    made = undefined
    if (testAccountId !== undefined) return { account: before }
    const own = { accentColour, embedOrigins, attemptLimit: 'off', testOf: accountId } as const
    made = makeAccount(books, name, 'server', first, own)
    return { account: { ...before, testAccountId: made.account.accountId }, writes: made.writes }
  })
  return made ?? createKey(books, accountId, first)
}

/** [Note: Changes lose no other] Retries if any process has changed the account in the meantime. */
function change(
  { store, accounts }: Books,
  accountId: string,
  make: (before: Account) => Promise<Change> | Change,
): Promise<Account> {
  return retryOnConflict(async () => {
    const before = await accounts.read(deployment, accountId)
    if (before === undefined) throw new Problem('not_found', 'The account does not exist.')
    const { account: made, writes = [], guards = [] } = await make(before.value)
    const account = { ...made, changes: before.value.changes + 1 }
    const written = accounts.write(deployment, accountId, account)
    return (await store.commit([written, ...writes], [before.guard, ...guards])) ? account : undefined
  }, busy)
}

function busy(): Problem {
  const detail = 'The account is being changed by another request. Try again.'
  return new Problem('overloaded', detail, { retryAfterInSeconds: 1 })
}

async function revokeKey(
  books: Books,
  accountId: string,
  keyId: string,
  overlapInSeconds = 0,
): Promise<void> {
  const { keys, now } = books
  await change(books, accountId, async (account) => {
    const read = await readKey(keys, accountId, keyId)
    const ended = endedKey(read.value, now(), overlapInSeconds)
    if (ended === undefined) return { account }
    // [Note: Ours] Otherwise, webhooks would silently lose their key.
    if (account.primaryKeyId === keyId)
      throw new Problem(
        'conflict',
        'This is the primary key, which webhooks carry: set another primary key first.',
      )
    const others = (await keys.list(accountId)).filter((key) => key.keyId !== keyId)
    refuseLastAdmin(read.value, others)
    return { account, writes: [keys.write(ended)], guards: [read.guard] }
  })
}

function setPrimaryKey(books: Books, accountId: string, keyId: string): Promise<Account> {
  return change(books, accountId, async (account) => {
    const { value: key, guard } = await readKey(books.keys, accountId, keyId)
    if (key.revoked !== null) throw new Problem('conflict', 'A revoked key cannot be the primary one.')
    return { account: { ...account, primaryKeyId: keyId }, guards: [guard] }
  })
}

async function findPrimaryKey(keys: ApiKeys, { accountId, primaryKeyId }: Account) {
  const key = await keys.find(accountId, primaryKeyId)
  return key === undefined || key.revoked !== null ? undefined : { key, value: keys.valueOf(key) }
}

async function anyWebhookCarriesAdmin({ accounts, keys }: Books): Promise<boolean> {
  for await (const account of accounts.listReadable(deployment)) {
    const { accountId, primaryKeyId, webhookCarriesKey } = account
    const carries = webhookCarriesKey && environmentOf(account) === 'live'
    const key = carries ? await keys.find(accountId, primaryKeyId) : undefined
    if (key?.scopes.includes('admin')) return true
  }
  return false
}

function rotateSigningKey(books: Books, accountId: string, immediately: boolean): Promise<Account> {
  return change(books, accountId, (account) => {
    const overlap = immediately ? 0 : signingKeyOverlapInMilliseconds
    const signingKeys = books.secrets.rotate('signing-key', accountId, account.signingKeys, overlap)
    return { account: { ...account, signingKeys } }
  })
}

async function rotateWebhookSecret(books: Books, accountId: string, immediately: boolean) {
  const { secrets } = books
  const account = await change(books, accountId, (before) => {
    const overlap = immediately ? 0 : webhookSecretOverlapInMilliseconds
    const webhookSecrets = secrets.rotate('webhook-secret', accountId, before.webhookSecrets, overlap)
    return { account: { ...before, webhookSecrets } }
  })
  return { account, secret: secrets.openAll('webhook-secret', accountId, account.webhookSecrets)[0]! }
}

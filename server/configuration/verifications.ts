import { randomUUID } from 'node:crypto'
import type { Pack } from '#models/rules/packs.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { AccountCaller } from '#server/accounts/caller.ts'
import type { Recognition } from '#server/recognition/recognition.ts'
import type { Clock, Guard, Store } from '#server/store/store.ts'
import type { Read } from '#server/store/tables.ts'
import type {
  createOrUpdateVerification,
  createVerification,
  deleteVerification,
  getAllVerifications,
  getVerification,
  updateVerification,
  VerificationDetail,
} from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { scopes as everyScope, type Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { faultsOfPack, refuseFaults } from './pack-limits.ts'
import { createVerificationStore } from './verification-store.ts'

/** How often a change that lost against another one is tried anew. */
const mostTries = 8

export interface Verifications {
  create: Handler<typeof createVerification, AccountCaller>
  createOrUpdate: Handler<typeof createOrUpdateVerification, AccountCaller>
  update: Handler<typeof updateVerification, AccountCaller>
  remove: Handler<typeof deleteVerification, AccountCaller>
  get: Handler<typeof getVerification, AccountCaller>
  getAll: Handler<typeof getAllVerifications, AccountCaller>
  find(accountId: string, verificationId: string): Promise<VerificationDetail | undefined>
  /** For the entry page, where no credential names the account. */
  ownerOf(verificationId: string): Promise<string | undefined>
  /** The guard that holds as long as there is this verification; undefined where there is none. */
  existence(verificationId: string): Promise<Guard | undefined>
  findByName(accountId: string, name: string): Promise<VerificationDetail | undefined>
}

interface Dependencies {
  store: Store
  accounts: Accounts
  recognition: Pick<Recognition, 'access' | 'emptyGallery'>
  pack: Pack
  now: Clock
}

interface Change {
  readonly name: string
  readonly verificationConfig: VerificationConfig
}

/**
 * Reusable verification configurations. Names are unique per account.
 * [Note: A verification has a collection of its own] It comes and goes with the verification, whose id it has.
 */
export function createVerifications(services: Dependencies): Verifications {
  const { store, accounts, recognition, pack, now } = services
  const verifications = createVerificationStore(store)

  /** [Note: What the pack cannot do is refused] Or a check would be promised that nobody makes. @throws {Problem} 400 */
  function refuseUnavailable({
    verificationConfig,
  }: {
    verificationConfig?: VerificationConfig | undefined
  }): void {
    const root = '#/verificationConfig/verifierConfigs'
    refuseFaults(faultsOfPack(pack, verificationConfig?.verifierConfigs, root))
  }

  async function add(caller: AccountCaller, change: Change): Promise<string | undefined> {
    await mayAimWebhook(caller, accounts, undefined, change.verificationConfig)
    const created = new Date(now()).toISOString()
    const verificationId = randomUUID()
    const { name, verificationConfig } = completed(change)
    const detail = { verificationId, name, created, lastModified: created, verificationConfig }
    const added = await recognition.access.use(caller.accountId, verificationId, async (collection) =>
      verifications.add(caller.accountId, detail, collection.make()),
    )
    return added ? verificationId : undefined
  }

  async function replace(
    { accountId }: AccountCaller,
    before: Read<VerificationDetail>,
    change: Change,
  ): Promise<boolean> {
    const lastModified = timeAfter(before.value.lastModified, now)
    const detail = { ...before.value, lastModified, ...completed(change) }
    return verifications.replace(accountId, before, detail)
  }

  /** Updates the verification of this name, or creates one; undefined where somebody was quicker. */
  async function write(caller: AccountCaller, change: Change) {
    const known = await verifications.readByName(caller.accountId, change.name)
    if (known === undefined) {
      const verificationId = await add(caller, change)
      return verificationId === undefined ? undefined : { verificationId, wasCreated: true }
    }
    const { verificationId, verificationConfig } = known.value
    await mayAimWebhook(caller, accounts, verificationConfig, change.verificationConfig)
    return (await replace(caller, known, change)) ? { verificationId, wasCreated: false } : undefined
  }

  /** Answers where the faces are that are left, or undefined where somebody was quicker. */
  async function removeWithCollection(accountId: string, before: Read<VerificationDetail>) {
    const { verificationId } = before.value
    return recognition.access.use(accountId, verificationId, async (collection) => {
      const erased = collection.exists ? collection.erase() : { writes: [], guards: [collection.unchanged] }
      return (await verifications.remove(accountId, before, erased)) ? collection.place : undefined
    })
  }

  async function readExisting(accountId: string, verificationId: string) {
    const read = await verifications.read(accountId, verificationId)
    if (read === undefined) throw new Problem('not_found', 'There is no such verification.')
    return read
  }

  async function refuseTakenName(accountId: string, before: VerificationDetail, name: string) {
    if (name === before.name) return
    if ((await verifications.readByName(accountId, name)) !== undefined) throw nameTaken()
  }

  return {
    async create({ body, caller }) {
      refuseUnavailable(body)
      const { name, verificationConfig } = body
      const verificationId = await add(caller, { name, verificationConfig: verificationConfig ?? {} })
      if (verificationId === undefined) throw nameTaken()
      return { verificationId }
    },
    async createOrUpdate({ body, caller }) {
      refuseUnavailable(body)
      const { name, verificationConfig } = body
      return persist(() => write(caller, { name, verificationConfig: verificationConfig ?? {} }))
    },
    async update({ body, caller }) {
      refuseUnavailable(body)
      const { verificationId, name, verificationConfig } = body
      return persist(async () => {
        const before = await readExisting(caller.accountId, verificationId)
        const change = {
          name: name ?? before.value.name,
          verificationConfig: verificationConfig ?? before.value.verificationConfig,
        }
        await mayAimWebhook(caller, accounts, before.value.verificationConfig, change.verificationConfig)
        await refuseTakenName(caller.accountId, before.value, change.name)
        return (await replace(caller, before, change)) ? { verificationId } : undefined
      })
    },
    remove: ({ query: { verificationId }, caller }) =>
      persist(async () => {
        const before = await readExisting(caller.accountId, verificationId)
        const removed = await removeWithCollection(caller.accountId, before)
        if (removed === undefined) return undefined
        await recognition.emptyGallery(removed)
        return {}
      }),
    async get({ query, caller }) {
      return { verification: (await readExisting(caller.accountId, query.verificationId)).value }
    },
    async getAll({ caller }) {
      const all: VerificationDetail[] = []
      for await (const detail of verifications.list(caller.accountId)) all.push(detail)
      all.sort(byAge)
      return { verifications: all.map(({ verificationConfig: _config, ...overview }) => overview) }
    },
    find: async (accountId, verificationId) => (await verifications.read(accountId, verificationId))?.value,
    ownerOf: (verificationId) => verifications.ownerOf(verificationId),
    existence: (verificationId) => verifications.existence(verificationId),
    findByName: async (accountId, name) => (await verifications.readByName(accountId, name))?.value,
  }
}

/** Tries a change until nobody was quicker. */
async function persist<T>(change: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < mostTries; tries++) {
    const done = await change()
    if (done !== undefined) return done
  }
  throw new Problem('overloaded', 'The verification is being changed elsewhere.', { retryAfterInSeconds: 1 })
}

/** [Note: Signed by default] `forceSignedInput` is true unless somebody says otherwise, and is shown. */
function completed({ name, verificationConfig }: Change): Change {
  const securityConfig = {
    ...verificationConfig.securityConfig,
    forceSignedInput: verificationConfig.securityConfig?.forceSignedInput ?? true,
  }
  return { name, verificationConfig: { ...verificationConfig, securityConfig } }
}

/** Now, but later than before: two changes within a millisecond are still told apart. */
function timeAfter(before: string, now: Clock): string {
  return new Date(Math.max(now(), Date.parse(before) + 1)).toISOString()
}

function byAge(a: VerificationDetail, b: VerificationDetail): number {
  return a.created < b.created ? -1 : Number(a.created > b.created) || a.name.localeCompare(b.name)
}

/**
 * [Note: Webhooks carry a key] Whoever aims a webhook receives the account's primary key with it, so they need every
 * scope that this key has; else `configure` would be a way to `admin`. Who leaves it where it is aimed needs none.
 */
async function mayAimWebhook(
  caller: AccountCaller,
  accounts: Accounts,
  before: VerificationConfig | undefined,
  after: VerificationConfig,
): Promise<void> {
  const address = after.webhookConfig?.eventCallbackUrl
  if (address === undefined || address === before?.webhookConfig?.eventCallbackUrl) return
  const account = await accounts.find(caller.accountId)
  const primary = account && (await accounts.findKey(caller.accountId, account.primaryKeyId))
  const needed = everyScope.filter((scope) => primary?.scopes.includes(scope))
  if (needed.every((scope) => caller.scopes.includes(scope))) return
  throw new Problem('forbidden', 'Setting eventCallbackUrl needs every scope of the key that webhooks carry.')
}

function nameTaken(): Problem {
  return new Problem('conflict', 'A verification with this name exists.')
}

import { randomUUID } from 'node:crypto'
import { policyVersion } from '#models/rules/liveness/policy.ts'
import type { Pack } from '#models/rules/packs.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import {
  type AccountCaller,
  authorOf,
  type HandlersOf,
  type PermitsOf,
} from '#server/features/callers/callers.ts'
import { faultsOfPack, refuseFaults } from '#server/features/packs/packs.ts'
import type { Recognition } from '#server/features/recognition/recognition.ts'
import { refuseUnfitName } from '#server/platform/http/requests/new-name.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Guard, Store } from '#server/platform/store/store.ts'
import type { GuardedRecord } from '#server/platform/store/tables.ts'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { updateVerification, VerificationDetail } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { BodyOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import {
  type Change,
  completed,
  mayChange,
  nameTaken,
  refuseNewName,
  refuseOutOfReach,
} from './change-rules.ts'
import { faultsOfDenied } from './denied-collections.ts'
import { type EqualNames, findEqualNames } from './equal-names.ts'
import { findAskingForHigh, type OutOfReach } from './out-of-reach.ts'
import { findOutgrown, type OutgrownSearch } from './outgrown.ts'
import { findUnknownNames, type UnknownNames } from './unknown-names.ts'
import { createVerificationStore, type VerificationStore } from './verification-store.ts'
import { createFindWeakened, type WeakenedVerification } from './weakened.ts'

export { faultsOfDenied } from './denied-collections.ts'
export type { EqualNames } from './equal-names.ts'
export { faultsOfReach, type OutOfReach } from './out-of-reach.ts'
export type { OutgrownSearch } from './outgrown.ts'
export type { UnknownNames } from './unknown-names.ts'

export interface Verifications
  extends HandlersOf<
    'configuration',
    | 'createVerification'
    | 'createOrUpdateVerification'
    | 'updateVerification'
    | 'deleteVerification'
    | 'getVerification'
    | 'getAllVerifications'
    | 'getVerificationVersions'
  > {
  find(accountId: string, verificationId: string): Promise<VerificationDetail | undefined>
  /** For the entry page, which has none of the account's credentials. */
  ownerOf(verificationId: string): Promise<string | undefined>
  /** The guard that holds while the verification exists; undefined if it does not exist. */
  existence(verificationId: string): Promise<Guard | undefined>
  findByName(accountId: string, name: string): Promise<VerificationDetail | undefined>
  /** All accounts' verifications with unknown names. */
  withUnknownNames(): Promise<UnknownNames[]>
  /** All accounts' verification names and collection IDs that 0.2.0 stored although they are equal. */
  withEqualNames(): Promise<EqualNames[]>
  /** All accounts' verifications that require `high` assurance. */
  askingForHigh(): Promise<OutOfReach[]>
  /** Verifications that refuse duplicates and have more faces than their networks can distinguish. */
  outgrown(): Promise<OutgrownSearch[]>
  /** Verifications that were weakened since they were last confirmed, in milliseconds since 1970. */
  weakened(
    accountId: string,
    confirmedAt: (verificationId: string) => Promise<number>,
  ): Promise<WeakenedVerification[]>
  readonly permits: PermitsOf<'createVerification' | 'createOrUpdateVerification' | 'updateVerification'>
}

interface Dependencies {
  store: Store
  accounts: Accounts
  recognition: Pick<Recognition, 'access' | 'emptyGallery'>
  pack: Pack
  /** Trusted device manufacturers. Without them, sessions cannot reach `high` assurance. */
  passkeyRoots: TrustedRoots | undefined
  now: Clock
}

/** The dependencies for storing and changing verifications. */
interface Shelf extends Dependencies {
  readonly verifications: VerificationStore
}

/**
 * Reusable verification configurations. Names are unique within an account.
 * [Note: A verification has a collection of its own] The collection is created and deleted with the verification, and has the same ID.
 */
export function createVerifications(services: Dependencies): Verifications {
  const verifications = createVerificationStore(services.store)
  const shelf: Shelf = { ...services, verifications }
  const { pack } = services

  return {
    async createVerification({ body, caller }) {
      refuseUnavailable(pack, body.verificationConfig)
      const { name, verificationConfig = {} } = body
      const verificationId = await add(shelf, caller, { name, verificationConfig })
      if (verificationId === undefined) throw nameTaken()
      return { verificationId }
    },
    async createOrUpdateVerification({ body, caller }) {
      refuseUnavailable(pack, body.verificationConfig)
      const { name, verificationConfig = {} } = body
      return retryOnConflict(() => write(shelf, caller, { name, verificationConfig }), busy)
    },
    async updateVerification({ body, caller }) {
      refuseUnavailable(pack, body.verificationConfig)
      return retryOnConflict(() => update(shelf, caller, body), busy)
    },
    deleteVerification: ({ query: { verificationId }, caller }) =>
      retryOnConflict(() => removeWithCollection(shelf, caller.accountId, verificationId), busy),
    async getVerification({ query, caller }) {
      const read = await readExisting(verifications, caller.accountId, query.verificationId)
      const { policyVersion, writtenUnder, ...verification } = read.value
      return { verification, policyVersion, writtenUnder }
    },
    async getAllVerifications({ caller }) {
      const all = (await allOf(verifications.list(caller.accountId))).sort(byAge)
      return { verifications: all.map(overviewOf) }
    },
    async getVerificationVersions({ query, caller: { accountId } }) {
      const { value } = await readExisting(verifications, accountId, query.verificationId)
      return { versions: [...(await verifications.versions(accountId, value))] }
    },
    find: async (accountId, verificationId) => (await verifications.read(accountId, verificationId))?.value,
    ownerOf: verifications.ownerOf,
    existence: verifications.existence,
    findByName: async (accountId, name) => (await verifications.readByName(accountId, name))?.value,
    askingForHigh: () => findAskingForHigh(services.accounts, verifications),
    outgrown: () =>
      findOutgrown(services.accounts, verifications, services.recognition.access, pack.embeddingModel),
    weakened: createFindWeakened(verifications),
    withUnknownNames: () => findUnknownNames(services.accounts, verifications),
    withEqualNames: () => findEqualNames(services.accounts, verifications, services.recognition.access),
    permits: createPermits(shelf),
  }
}

/** The permission checks that handlers repeat when writing, with the current record. */
function createPermits(shelf: Shelf): Verifications['permits'] {
  const { verifications } = shelf
  return {
    createVerification: ({ body: { name, verificationConfig = {} }, caller }) =>
      mayChange(shelf, caller, undefined, { name, verificationConfig }),
    async createOrUpdateVerification({ body: { name, verificationConfig = {} }, caller }) {
      const known = await verifications.readByName(caller.accountId, name)
      await mayChange(shelf, caller, known?.value, { name, verificationConfig })
    },
    async updateVerification({ body, caller }) {
      const before = await verifications.read(caller.accountId, body.verificationId)
      if (before !== undefined) await mayChange(shelf, caller, before.value, changeOf(before.value, body))
    },
  }
}

function overviewOf({
  verificationConfig: _config,
  policyVersion: _policy,
  writtenUnder: _written,
  ...overview
}: VerificationDetail) {
  return overview
}

/** [Note: What the pack cannot do is refused] Otherwise, it would promise a check that never runs. @throws {Problem} 400 */
function refuseUnavailable(pack: Pack, config: VerificationConfig | undefined): void {
  refuseFaults(faultsOfPack(pack, config?.verifierConfigs, '#/verificationConfig/verifierConfigs'))
}

/** @throws {Problem} 400 */
async function refuseUnknownDenied(
  { recognition }: Shelf,
  { accountId }: AccountCaller,
  { verificationConfig: { verifierConfigs } }: Change,
): Promise<void> {
  const pointer = '#/verificationConfig/verifierConfigs'
  refuseFaults(await faultsOfDenied(recognition.access, accountId, verifierConfigs, pointer))
}

/** Returns the new verification's ID; undefined if the name is taken. */
async function add(shelf: Shelf, caller: AccountCaller, change: Change): Promise<string | undefined> {
  const { verifications, recognition, now } = shelf
  refuseOutOfReach(shelf, change)
  await refuseUnknownDenied(shelf, caller, change)
  if ((await verifications.readByName(caller.accountId, change.name)) !== undefined) return undefined
  refuseUnfitName('#/name', change.name)
  await mayChange(shelf, caller, undefined, change)
  const created = new Date(now()).toISOString()
  const verificationId = randomUUID()
  const { name, verificationConfig } = completed(change)
  const rules = { policyVersion, writtenUnder: policyVersion }
  const detail = { verificationId, name, created, lastModified: created, verificationConfig, ...rules }
  const added = await recognition.access.use(caller.accountId, verificationId, async (_, writer) =>
    verifications.add(caller.accountId, detail, writer.make(), authorOf(caller)),
  )
  return added ? verificationId : undefined
}

/** Replaces the verification with the changed one. False if another request was faster. */
async function replace(
  shelf: Shelf,
  caller: AccountCaller,
  before: GuardedRecord<VerificationDetail>,
  change: Change,
): Promise<boolean> {
  const { verifications, now } = shelf
  refuseOutOfReach(shelf, change)
  await refuseUnknownDenied(shelf, caller, change)
  await mayChange(shelf, caller, before.value, change)
  await refuseNewName(shelf, caller, before.value, change)
  const lastModified = timeAfter(before.value.lastModified, now)
  const after = { ...before.value, lastModified, writtenUnder: policyVersion, ...completed(change) }
  return verifications.replace(caller.accountId, before, after, authorOf(caller))
}

/** Updates the verification with this name, or creates one; undefined if another request was faster. */
async function write(shelf: Shelf, caller: AccountCaller, change: Change) {
  const known = await shelf.verifications.readByName(caller.accountId, change.name)
  if (known !== undefined) {
    const { verificationId, name } = known.value
    // An equal name in another form does not change the stored name.
    return (await replace(shelf, caller, known, { ...change, name }))
      ? { verificationId, wasCreated: false }
      : undefined
  }
  const verificationId = await add(shelf, caller, change)
  return verificationId === undefined ? undefined : { verificationId, wasCreated: true }
}

/** Undefined if another request was faster. */
async function update(shelf: Shelf, caller: AccountCaller, body: BodyOf<typeof updateVerification>) {
  const { verificationId } = body
  const before = await readExisting(shelf.verifications, caller.accountId, verificationId)
  const isDone = await replace(shelf, caller, before, changeOf(before.value, body))
  return isDone ? { verificationId } : undefined
}

/** Absent members stay unchanged. */
function changeOf(before: VerificationDetail, body: BodyOf<typeof updateVerification>): Change {
  const { name = before.name, verificationConfig = before.verificationConfig } = body
  return { name, verificationConfig }
}

/** Undefined if another request was faster. */
async function removeWithCollection(
  { verifications, recognition }: Shelf,
  accountId: string,
  verificationId: string,
) {
  const before = await readExisting(verifications, accountId, verificationId)
  const emptied = await recognition.access.use(accountId, verificationId, async (collection, writer) => {
    const erased = collection.exists ? writer.erase() : { writes: [], guards: [writer.unchanged] }
    return (await verifications.remove(accountId, before, erased)) ? collection.place : undefined
  })
  if (emptied === undefined) return undefined
  await recognition.emptyGallery(emptied)
  return {}
}

async function readExisting(verifications: VerificationStore, accountId: string, verificationId: string) {
  const read = await verifications.read(accountId, verificationId)
  if (read === undefined) throw new Problem('not_found', 'The verification does not exist.')
  return read
}

function busy(): Problem {
  return new Problem('overloaded', 'The verification is being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}

/** The current time, but later than `before`, so that two changes within a millisecond differ. */
function timeAfter(before: string, now: Clock): string {
  return new Date(Math.max(now(), Date.parse(before) + 1)).toISOString()
}

function byAge(a: VerificationDetail, b: VerificationDetail): number {
  return a.created < b.created ? -1 : Number(a.created > b.created) || a.name.localeCompare(b.name)
}

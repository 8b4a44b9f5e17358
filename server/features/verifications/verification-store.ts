import { firstPolicyVersion } from '#models/rules/liveness/policy.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type Read } from '#server/platform/store/tables.ts'
import type { VerificationDetail, VerificationVersion } from '#shared/contract/configuration/verification.ts'
import { createVerificationNames } from './verification-names.ts'
import { createVerificationVersions, isSame } from './verification-versions.ts'

/** Verifications in the store: each with its name, which is unique per account, and with its owner. */
export interface VerificationStore {
  read(accountId: string, verificationId: string): Promise<Read<VerificationDetail> | undefined>
  readByName(accountId: string, name: string): Promise<Read<VerificationDetail> | undefined>
  list(accountId: string): AsyncIterable<VerificationDetail>
  /** The same, but without those that cannot be read. */
  listReadable(accountId: string): AsyncIterable<VerificationDetail>
  /** The account of a verification, for where no credential names it. */
  ownerOf(verificationId: string): Promise<string | undefined>
  /** What it was and is, the newest first. */
  versions(accountId: string, detail: VerificationDetail): Promise<readonly VerificationVersion[]>
  /** Adds a verification, with what must happen in the same commit; false where the name is taken. */
  add(accountId: string, detail: VerificationDetail, also: Also, by: string | null): Promise<boolean>
  /** Writes a changed verification and moves its name; false where the name is taken or somebody was quicker. */
  replace(
    accountId: string,
    before: Read<VerificationDetail>,
    detail: VerificationDetail,
    by: string | null,
  ): Promise<boolean>
  /** Frees the name too, with what must happen in the same commit; false where somebody was quicker. */
  remove(accountId: string, before: Read<VerificationDetail>, also: Also): Promise<boolean>
  /** The guard that holds as long as there is this verification, however it is changed; undefined without one. */
  existence(verificationId: string): Promise<Guard | undefined>
}

interface Also {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

/** Those that are older than the versions of rules have none. */
type Stored = Omit<VerificationDetail, Younger> & Partial<Pick<VerificationDetail, Younger>>
type Younger = 'policyVersion' | 'writtenUnder'

function whole(stored: Stored): VerificationDetail {
  const { policyVersion = firstPolicyVersion, writtenUnder = policyVersion } = stored
  return { ...stored, policyVersion, writtenUnder }
}

/** Every change of a verification is one commit, so that name and verification never part. */
async function* wholeEach(all: AsyncIterable<Stored>): AsyncGenerator<VerificationDetail> {
  for await (const detail of all) yield whole(detail)
}

export function createVerificationStore(store: Store): VerificationStore {
  const details = createTable<Stored>(store, 'verification')
  const names = createVerificationNames(store, details)
  const owners = createTable<string>(store, 'verification-owner')
  const versions = createVerificationVersions(store)

  const read: VerificationStore['read'] = async (accountId, verificationId) => {
    const found = await details.read(accountId, verificationId)
    return found && { ...found, value: whole(found.value) }
  }

  return {
    read,
    async readByName(accountId, name) {
      const verificationId = await names.find(accountId, name)
      return verificationId === undefined ? undefined : read(accountId, verificationId)
    },
    list: (accountId) => wholeEach(details.list(accountId)),
    listReadable: (accountId) => wholeEach(details.listReadable(accountId)),
    ownerOf: (verificationId) => owners.get(deployment, verificationId),
    versions: versions.list,
    add(accountId, detail, also, by) {
      const { verificationId } = detail
      const named = names.give(accountId, detail)
      const writes = [
        details.write(accountId, verificationId, detail),
        ...named.writes,
        owners.write(deployment, verificationId, accountId),
        ...versions.first(accountId, detail, by),
      ]
      return store.commit([...writes, ...also.writes], [...named.guards, ...also.guards])
    },
    async replace(accountId, before, detail, by) {
      const { verificationId, name } = detail
      const kept = isSame(before.value, detail)
        ? []
        : await versions.next(accountId, before.value, detail, by)
      const written = [details.write(accountId, verificationId, detail), ...kept]
      if (name === before.value.name) return store.commit(written, [before.guard])
      const renamed = await names.rename(accountId, before.value, name)
      return store.commit([...written, ...renamed.writes], [before.guard, ...renamed.guards])
    },
    async remove(accountId, before, also) {
      const { verificationId } = before.value
      const writes = [
        details.write(accountId, verificationId, undefined),
        ...(await names.free(accountId, before.value)),
        owners.write(deployment, verificationId, undefined),
        ...(await versions.removed(accountId, verificationId)),
      ]
      return store.commit([...writes, ...also.writes], [before.guard, ...also.guards])
    },
    existence: async (verificationId) => (await owners.read(deployment, verificationId))?.guard,
  }
}

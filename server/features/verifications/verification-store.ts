import { firstPolicyVersion } from '#models/rules/liveness/policy.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type GuardedRecord } from '#server/platform/store/tables.ts'
import type { VerificationDetail, VerificationVersion } from '#shared/contract/configuration/verification.ts'
import { createVerificationNames } from './verification-names.ts'
import { createVerificationVersions, isSame } from './verification-versions.ts'

/** Stored verifications, each with its owner and a name that is unique within the account. */
export interface VerificationStore {
  read(accountId: string, verificationId: string): Promise<GuardedRecord<VerificationDetail> | undefined>
  readByName(accountId: string, name: string): Promise<GuardedRecord<VerificationDetail> | undefined>
  list(accountId: string): AsyncIterable<VerificationDetail>
  /** Like `list`, but skips verifications that cannot be read. */
  listReadable(accountId: string): AsyncIterable<VerificationDetail>
  /** A verification's account, for callers without one of the account's credentials. */
  ownerOf(verificationId: string): Promise<string | undefined>
  /** Its current and previous versions, newest first. */
  versions(accountId: string, detail: VerificationDetail): Promise<readonly VerificationVersion[]>
  /** Adds a verification, with further writes in the same commit. False if the name is taken. */
  add(accountId: string, detail: VerificationDetail, also: ExtraWrites, by: string | null): Promise<boolean>
  /** Writes a changed verification and moves its name. False if the name is taken or another request was faster. */
  replace(
    accountId: string,
    before: GuardedRecord<VerificationDetail>,
    detail: VerificationDetail,
    by: string | null,
  ): Promise<boolean>
  /** Also frees the name, with further writes in the same commit. False if another request was faster. */
  remove(accountId: string, before: GuardedRecord<VerificationDetail>, also: ExtraWrites): Promise<boolean>
  /** The guard that holds while the verification exists, however it is changed; undefined if it does not exist. */
  existence(verificationId: string): Promise<Guard | undefined>
}

interface ExtraWrites {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

/** Absent from records older than rule versions. */
type StoredVerification = Omit<VerificationDetail, LaterMember> &
  Partial<Pick<VerificationDetail, LaterMember>>
type LaterMember = 'policyVersion' | 'writtenUnder'

function whole(stored: StoredVerification): VerificationDetail {
  const { policyVersion = firstPolicyVersion, writtenUnder = policyVersion } = stored
  return { ...stored, policyVersion, writtenUnder }
}

/** Every change to a verification is one commit, so that name and verification always match. */
async function* wholeEach(all: AsyncIterable<StoredVerification>): AsyncGenerator<VerificationDetail> {
  for await (const detail of all) yield whole(detail)
}

export function createVerificationStore(store: Store): VerificationStore {
  const details = createTable<StoredVerification>(store, 'verification')
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

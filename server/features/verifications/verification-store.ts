import { firstPolicyVersion } from '#models/rules/liveness/policy.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { type Guard, inPassing, type Store, type Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type Read } from '#server/platform/store/tables.ts'
import type { VerificationDetail, VerificationVersion } from '#shared/contract/configuration/verification.ts'
import {
  canonicalIdentity,
  identityForms,
  isSameIdentity,
  mayHaveOtherForms,
} from '#shared/identity/identity-text.ts'
import { createVerificationVersions, isSame } from './verification-versions.ts'

/** Verifications in the store: each with its name, which is unique per account, and with its owner. */
export interface VerificationStore {
  read(accountId: string, verificationId: string): Promise<Read<VerificationDetail> | undefined>
  /** [Note: Equal names] By the name as it is given, by its canonical form, and by any form that 0.2.0 stored: of several the oldest. */
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

/** [Note: Equal names] The key of a name is its canonical form, so that two equal names cannot both be added. 0.2.0 used the name as it was sent. */
const keyOf = canonicalIdentity

export function createVerificationStore(store: Store): VerificationStore {
  const details = createTable<Stored>(store, 'verification')
  const names = createTable<string>(store, 'verification-name')
  const owners = createTable<string>(store, 'verification-owner')
  const versions = createVerificationVersions(store)

  const read: VerificationStore['read'] = async (accountId, verificationId) => {
    const found = await details.read(accountId, verificationId)
    return found && { ...found, value: whole(found.value) }
  }

  async function oldestNamed(accountId: string, name: string): Promise<string | undefined> {
    if (!mayHaveOtherForms(name)) return undefined
    const named = (await allOf(details.list(accountId))).filter((one) => isSameIdentity(one.name, name))
    return named.sort((a, b) => (a.created < b.created ? -1 : 1))[0]?.verificationId
  }

  /** The keys that hold the name of a verification. */
  async function keysOf(accountId: string, { verificationId, name }: VerificationDetail): Promise<string[]> {
    const forms = identityForms(name)
    const holders = await Promise.all(forms.map((form) => names.get(accountId, form)))
    return forms.filter((_, i) => holders[i] === verificationId)
  }

  return {
    read,
    async readByName(accountId, name) {
      const verificationId =
        (await names.get(accountId, name)) ??
        (await names.get(accountId, keyOf(name))) ??
        (await oldestNamed(accountId, name))
      return verificationId === undefined ? undefined : read(accountId, verificationId)
    },
    list: (accountId) => wholeEach(details.list(accountId)),
    listReadable: (accountId) => wholeEach(details.listReadable(accountId)),
    ownerOf: (verificationId) => owners.get(deployment, verificationId),
    versions: versions.list,
    add(accountId, detail, also, by) {
      const { verificationId, name } = detail
      const writes = [
        details.write(accountId, verificationId, detail),
        names.write(accountId, keyOf(name), verificationId),
        owners.write(deployment, verificationId, accountId),
        ...versions.first(accountId, detail, by),
      ]
      return store.commit([...writes, ...also.writes], [names.absent(accountId, keyOf(name)), ...also.guards])
    },
    async replace(accountId, before, detail, by) {
      const { verificationId, name } = detail
      const kept = isSame(before.value, detail)
        ? []
        : await versions.next(accountId, before.value, detail, by)
      const written = [details.write(accountId, verificationId, detail), ...kept]
      if (name === before.value.name) return store.commit(written, [before.guard])
      const [key, former] = [keyOf(name), await keysOf(accountId, before.value)]
      const renamed = [
        ...former
          .filter((one) => one !== key)
          .map((one) => inPassing(names.write(accountId, one, undefined))),
        names.write(accountId, key, verificationId),
      ]
      const isFree = former.includes(key) ? [] : [names.absent(accountId, key)]
      return store.commit([...written, ...renamed], [before.guard, ...isFree])
    },
    async remove(accountId, before, also) {
      const { verificationId } = before.value
      const keys = await keysOf(accountId, before.value)
      const writes = [
        details.write(accountId, verificationId, undefined),
        ...keys.map((key) => names.write(accountId, key, undefined)),
        owners.write(deployment, verificationId, undefined),
        ...(await versions.removed(accountId, verificationId)),
      ]
      return store.commit([...writes, ...also.writes], [before.guard, ...also.guards])
    },
    existence: async (verificationId) => (await owners.read(deployment, verificationId))?.guard,
  }
}

import { allOf } from '#server/platform/store/all-of.ts'
import { inPassing, type Store, type Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import {
  mostVersions,
  type VerificationDetail,
  type VerificationVersion,
} from '#shared/contract/configuration/verification.ts'

/** A verification's current version, and a limited number of previous ones. */
export interface VerificationVersions {
  /** Newest first. A verification older than versions has only its current one. */
  list(accountId: string, detail: VerificationDetail): Promise<readonly VerificationVersion[]>
  /** The writes for the commit that creates a verification. */
  first(accountId: string, detail: VerificationDetail, by: string | null): readonly Write[]
  /** The writes for the commit that changes a verification. */
  next(
    accountId: string,
    before: VerificationDetail,
    after: VerificationDetail,
    by: string | null,
  ): Promise<readonly Write[]>
  /** The writes for the commit that removes a verification. */
  removed(accountId: string, verificationId: string): Promise<readonly Write[]>
}

/**
 * [Note: Versions are kept] Each version is a separate record, written with the verification in one commit. A state written
 * by a program older than versions becomes a version without an author as soon as it is changed or read.
 */
export function createVerificationVersions(store: Store): VerificationVersions {
  const table = createTable<VerificationVersion>(store, 'verification-version')
  const ownerOf = (accountId: string, verificationId: string) => JSON.stringify([accountId, verificationId])
  const write = (accountId: string, verificationId: string, version: VerificationVersion) =>
    table.write(ownerOf(accountId, verificationId), String(version.version), version)
  const kept = async (accountId: string, verificationId: string) =>
    (await allOf(table.list(ownerOf(accountId, verificationId)))).sort((a, b) => b.version - a.version)
  /** The stored versions, preceded by the current state if it was not stored as one. */
  const whole = async (accountId: string, detail: VerificationDetail) => {
    const all = await kept(accountId, detail.verificationId)
    const [newest] = all
    if (newest !== undefined && isSame(newest, detail)) return all
    return [versionOf(detail, (newest?.version ?? 0) + 1, null), ...all]
  }

  return {
    list: async (accountId, detail) => (await whole(accountId, detail)).slice(0, mostVersions),
    first: (accountId, detail, by) => [write(accountId, detail.verificationId, versionOf(detail, 1, by))],
    async next(accountId, before, after, by) {
      const { verificationId } = before
      const [latest, ...others] = await whole(accountId, before)
      const version = versionOf(after, latest!.version + 1, by)
      const tooMany = others.slice(mostVersions - 2)
      return [
        write(accountId, verificationId, version),
        write(accountId, verificationId, latest!),
        ...tooMany.map((one) =>
          inPassing(table.write(ownerOf(accountId, verificationId), String(one.version), undefined)),
        ),
      ]
    },
    async removed(accountId, verificationId) {
      const all = await kept(accountId, verificationId)
      return all.map(({ version }) =>
        table.write(ownerOf(accountId, verificationId), String(version), undefined),
      )
    },
  }
}

/** Compares two versions without their times, because a change that changes nothing does not create a version. */
export function isSame(one: VersionContent, other: VersionContent): boolean {
  const contentOf = ({ name, verificationConfig }: VersionContent) =>
    JSON.stringify([name, verificationConfig])
  return contentOf(one) === contentOf(other)
}

type VersionContent = Pick<VerificationDetail, 'name' | 'verificationConfig'>

function versionOf(
  { name, lastModified, verificationConfig }: VerificationDetail,
  version: number,
  by: string | null,
): VerificationVersion {
  return { version, time: lastModified, by, name, verificationConfig }
}

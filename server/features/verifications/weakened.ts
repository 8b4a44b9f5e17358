import type { Consequence } from '#shared/consequences.ts'
import type { VerificationDetail, VerificationVersion } from '#shared/contract/configuration/verification.ts'
import type { VerificationStore } from './verification-store.ts'
import { weakens } from './weakening.ts'

/** A verification that checks less than it once did, which no admin has confirmed. */
export interface WeakenedVerification {
  readonly verificationId: string
  /** When it was first weakened, in milliseconds since 1970. */
  readonly since: number
}

/** Consequences that move people or results, which makes no verdict weaker. */
const moving: readonly Consequence[] = ['returnAddress', 'personElsewhere', 'resultElsewhere']

/** How many verifications' versions are remembered; each is read again only after a change. */
const mostRemembered = 2000

/** Finds an account's weakened verifications. Reads versions only of verifications that changed since the last time. */
export function createFindWeakened(verifications: Pick<VerificationStore, 'listReadable' | 'versions'>) {
  const known = new Map<string, { readonly lastModified: string; readonly versions: Versions }>()

  async function versionsOf(accountId: string, detail: VerificationDetail): Promise<Versions> {
    const { verificationId, lastModified } = detail
    const last = known.get(verificationId)
    if (last?.lastModified === lastModified) return last.versions
    const versions = await verifications.versions(accountId, detail)
    if (known.size >= mostRemembered) known.clear()
    // A verification that never changed needs no memory of its configuration.
    known.set(verificationId, { lastModified, versions: versions.length > 1 ? versions : [] })
    return versions
  }

  return async (accountId: string, confirmedAt: (verificationId: string) => Promise<number>) => {
    const found: WeakenedVerification[] = []
    for await (const detail of verifications.listReadable(accountId)) {
      const versions = await versionsOf(accountId, detail)
      if (versions.length < 2) continue
      const { verificationId } = detail
      const since = weakenedSince(versions, detail, await confirmedAt(verificationId))
      if (since !== undefined) found.push({ verificationId, since })
    }
    return found
  }
}

type Versions = readonly Pick<VerificationVersion, 'time' | 'verificationConfig'>[]

/**
 * Finds the first weakening after a time that still makes a difference. Pure. [Note: Compared with what it was] A later change
 * that makes the verification as strong as before ends it, whatever else changed.
 * @param versions newest first
 * @param confirmedAt milliseconds since 1970
 */
export function weakenedSince(
  versions: Versions,
  { verificationConfig: current }: Pick<VerificationDetail, 'verificationConfig'>,
  confirmedAt: number,
): number | undefined {
  const inOrder = versions.toReversed()
  for (const [i, version] of inOrder.entries()) {
    const before = inOrder[i - 1]?.verificationConfig
    const time = Date.parse(version.time)
    if (before === undefined || time <= confirmedAt) continue
    if (isWeaker(before, version.verificationConfig) && isWeaker(before, current)) return time
  }
  return undefined
}

function isWeaker(...[before, after]: Parameters<typeof weakens>): boolean {
  return weakens(before, after).some((one) => !moving.includes(one))
}

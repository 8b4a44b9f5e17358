import type { Unattested } from '#shared/contract/sessions/session-passkey.ts'
import type { Attested } from './attestation.ts'
import { standingRoot, type TrustedRoots } from './trusted-roots.ts'

/** Why an attested passkey is none at a visit, or nothing. */
export function lapseOf(
  { attestation, unattestedBecause }: Attested,
  {
    isSynced,
    roots,
    now,
  }: { readonly isSynced: boolean; readonly roots: TrustedRoots; readonly now: number },
): Unattested | undefined {
  if (attestation === undefined) return unattestedBecause
  if (isSynced) return 'synced'
  return standingRoot(roots, attestation.root, now) === undefined ? 'rootWithdrawn' : undefined
}

import type { UnattestedReason } from '#shared/contract/sessions/session-passkey.ts'
import type { AttestationOutcome } from './attestation.ts'
import type { RevokedDevices } from './revoked-devices.ts'
import { standingRoot, type TrustedRoots } from './trusted-roots.ts'

/** Facts that may have changed since a passkey was bound. */
export interface Circumstances {
  /** True if the device now says that the passkey may be copied to other devices. */
  readonly isSynced: boolean
  readonly roots: TrustedRoots
  /** Undefined if the operator has not set a list. */
  readonly revoked: RevokedDevices | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Why an attested passkey no longer counts as attested at a visit; undefined if it does. [Note: Revoked comes first] A
 * revoked device is reported as revoked whatever else has changed about it, because the operator asked for that.
 * Unattested devices are not compared, since nothing is known about them.
 */
export function lapseOf(
  { attestation, unattestedBecause }: AttestationOutcome,
  { isSynced, roots, revoked, now }: Circumstances,
): UnattestedReason | undefined {
  if (attestation === undefined) return unattestedBecause
  if (revoked?.includes(attestation)) return 'deviceRevoked'
  if (isSynced) return 'synced'
  if (standingRoot(roots, attestation.root, now) === undefined) return 'rootWithdrawn'
  return revoked !== undefined && attestation.chain === undefined ? 'deviceUnknown' : undefined
}

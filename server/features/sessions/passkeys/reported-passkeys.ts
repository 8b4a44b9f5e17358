import type { Attestation, AttestationOutcome } from '#server/platform/web-authn/attestation/attestation.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'

type ReportedPasskeys = SessionResult['passkeys']

/** The visit's passkeys for the integrator, including this one: the last one shown, and the last one bound. */
export function reportedWith(
  before: ReportedPasskeys | undefined,
  use: ReportedPasskeys[number]['use'],
  { attestation, unattestedBecause }: AttestationOutcome,
): ReportedPasskeys {
  const one = {
    use,
    attestation: attestation === undefined ? null : reportedAttestation(attestation),
    unattestedBecause: unattestedBecause ?? null,
  }
  return [...(before ?? []).filter((other) => other.use !== use), one]
}

/** Converts an attestation to the contract's format. */
export function reportedAttestation({ format, aaguid, root, at, chain }: Attestation) {
  const certificates = chain === undefined ? {} : { certificates: [...chain] }
  return { format, aaguid, root, attestedAt: new Date(at).toISOString(), ...certificates }
}

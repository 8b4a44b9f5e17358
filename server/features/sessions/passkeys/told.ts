import type { Attested } from '#server/platform/web-authn/attestation/attestation.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'

type Told = SessionResult['passkeys']

/** What the integrator is told of the passkeys of a visit, with this one: the last that was shown, and the last that was bound. */
export function toldOf(
  before: Told | undefined,
  use: Told[number]['use'],
  { attestation, unattestedBecause }: Attested,
): Told {
  const one = {
    use,
    attestation: attestation === undefined ? null : attestationAsTold(attestation),
    unattestedBecause: unattestedBecause ?? null,
  }
  return [...(before ?? []).filter((other) => other.use !== use), one]
}

/** An attestation as the contract has it. */
export function attestationAsTold({ format, aaguid, root, at }: NonNullable<Attested['attestation']>) {
  return { format, aaguid, root, attestedAt: new Date(at).toISOString() }
}

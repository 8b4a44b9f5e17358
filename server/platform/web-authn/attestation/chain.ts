import 'reflect-metadata'
import type { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { fingerprintOf, isValid, type TrustedRoot } from './trusted-roots.ts'

/** The root that vouches for a chain's first certificate, or the reason that none does. */
export type ChainOutcome =
  | {
      readonly root: TrustedRoot
      /** From the first certificate to the root. Certificates sent beyond the root are not verified, so they are omitted. */
      readonly path: readonly X509Certificate[]
    }
  | { readonly because: 'unknownRoot' | 'certificateExpired' }

/**
 * Follows a chain from its first certificate to one that the operator trusts. [Note: Nobody is asked] Revocation lists
 * are not fetched. The address in a certificate comes from the sender, and the server contacts no host that a sender
 * chooses.
 * @param now milliseconds since 1970; every certificate up to and including the root must be valid then
 */
export function vouchedBy(
  chain: readonly X509Certificate[],
  roots: readonly TrustedRoot[],
  now: number,
): ChainOutcome {
  for (const [depth, certificate] of chain.entries()) {
    const root = roots.find((one) => isOrIssued(one, certificate, depth))
    if (root !== undefined) {
      const below = chain.slice(0, depth + 1).filter((one) => fingerprintOf(one) !== root.fingerprint)
      const path = [...below, root.certificate]
      return path.every((one) => isValid(one, now)) ? { root, path } : { because: 'certificateExpired' }
    }
    const issuer = chain[depth + 1]
    if (issuer === undefined || !hasIssued(issuer, certificate, depth)) break
  }
  return { because: 'unknownRoot' }
}

function isOrIssued(
  { certificate: root, fingerprint }: TrustedRoot,
  certificate: X509Certificate,
  depth: number,
) {
  return fingerprint === fingerprintOf(certificate) || hasIssued(root, certificate, depth)
}

/** [Note: A device is no authority] A device's own certificate must not sign others, and an authority must not exceed its path length. */
function hasIssued(issuer: X509Certificate, certificate: X509Certificate, below: number): boolean {
  return (
    issuer.ca &&
    certificate.checkIssued(issuer) &&
    below <= longestWayOf(issuer) &&
    certificate.verify(issuer.publicKey)
  )
}

/** How many authorities may follow below this one. */
function longestWayOf({ raw }: X509Certificate): number {
  const constraints = new x509.X509Certificate(raw).getExtension(x509.BasicConstraintsExtension)
  return constraints?.pathLength ?? Number.POSITIVE_INFINITY
}

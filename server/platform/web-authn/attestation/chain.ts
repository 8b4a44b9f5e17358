import 'reflect-metadata'
import type { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { fingerprintOf, isValid, type TrustedRoot } from './trusted-roots.ts'

/** Who vouches for the first certificate of a chain, or why nobody does. */
export type Vouched =
  | { readonly root: TrustedRoot }
  | { readonly because: 'unknownRoot' | 'certificateExpired' }

/**
 * Follows a chain from its first certificate to one that the operator trusts. [Note: Nobody is asked] No list of revoked
 * certificates is fetched: an address in a certificate is the sender's word, and the server calls nobody on it.
 * @param now milliseconds since 1970; every certificate up to the root, and the root, must be valid then
 */
export function vouchedBy(
  chain: readonly X509Certificate[],
  roots: readonly TrustedRoot[],
  now: number,
): Vouched {
  for (const [depth, certificate] of chain.entries()) {
    const root = roots.find((one) => isOrIssued(one, certificate, depth))
    if (root !== undefined) {
      const used = [...chain.slice(0, depth + 1), root.certificate]
      return used.every((one) => isValid(one, now)) ? { root } : { because: 'certificateExpired' }
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

/** [Note: A device is no authority] Its own certificate vouches for no other, and an authority for no longer a way than it may. */
function hasIssued(issuer: X509Certificate, certificate: X509Certificate, below: number): boolean {
  return (
    issuer.ca &&
    certificate.checkIssued(issuer) &&
    below <= longestWayOf(issuer) &&
    certificate.verify(issuer.publicKey)
  )
}

/** How many authorities may stand below this one. */
function longestWayOf({ raw }: X509Certificate): number {
  const constraints = new x509.X509Certificate(raw).getExtension(x509.BasicConstraintsExtension)
  return constraints?.pathLength ?? Number.POSITIVE_INFINITY
}

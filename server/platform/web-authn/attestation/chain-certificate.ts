import { createHash, type X509Certificate } from 'node:crypto'
import { elementsOf } from './der.ts'
import { fingerprintOf } from './trusted-roots.ts'

/** Identifies a certificate in an attestation, so that a later visit can compare it with the list of revoked devices. */
export interface ChainCertificate {
  /** The certificate's SHA-256 as DER, in lower-case hex. */
  readonly sha256: string
  /** The SHA-256 of the issuer's name as DER, in lower-case hex. */
  readonly issuer: string
  /** Serial number, in lower-case hex without leading zeros. */
  readonly serial: string
}

const versionTag = 0

/** @throws if the certificate is not valid DER */
export function chainCertificateOf(certificate: X509Certificate): ChainCertificate {
  const [whole] = elementsOf(new Uint8Array(certificate.raw))
  const [signed] = elementsOf(whole!.content)
  const members = elementsOf(signed!.content)
  const [serial, , issuer] = members[0]?.tag === versionTag ? members.slice(1) : members
  return {
    sha256: fingerprintOf(certificate),
    issuer: createHash('sha256').update(issuer!.encoded).digest('hex'),
    serial: serialNumberOf(Buffer.from(serial!.content).toString('hex')),
  }
}

/** Serial numbers are compared as numbers: `00A1` and `a1` are equal. */
export function serialNumberOf(hex: string): string {
  return BigInt(`0x${hex}`).toString(16)
}

import 'reflect-metadata'
import { createSign, KeyObject, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { fingerprintOf, type TrustedRoot } from '#server/platform/web-authn/attestation/trusted-roots.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const day = 24 * 3600_000

/** How a certificate deviates from the norm. */
export interface Certified {
  /** Days from now; default to -1 and 365. */
  readonly from?: number
  readonly to?: number
  /** True if it may issue certificates. By default, authorities may and devices may not. */
  readonly isAuthority?: boolean
  readonly pathLength?: number
  /** In hexadecimal; random if absent. */
  readonly serialNumber?: string
  /** The address for lists of revoked certificates. */
  readonly crl?: string
  readonly extensions?: readonly x509.Extension[]
}

/** An authority that certifies devices or other authorities. */
export interface DeviceMaker {
  readonly certificate: x509.X509Certificate
  readonly der: Buffer
  readonly pem: string
  /** Creates a subordinate authority. */
  below(name: string, otherwise?: Certified): Promise<DeviceMaker>
  /** Creates a device's certificate, using new keys if none are given. */
  device(
    subject: string,
    otherwise?: Certified & { readonly publicKey?: KeyObject },
  ): Promise<DeviceCertificate>
}

export interface DeviceCertificate {
  readonly der: Buffer
  sign(bytes: Uint8Array): Promise<Buffer>
}

/** A manufacturer that has no issuer, which makes it a root. */
export async function newMaker(name: string, otherwise: Certified = {}): Promise<DeviceMaker> {
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    ...usual({ isAuthority: true, ...otherwise }),
  })
  return makerOf(certificate, keys)
}

function makerOf(certificate: x509.X509Certificate, keys: CryptoKeyPair): DeviceMaker {
  const issue = (subject: string, publicKey: CryptoKey, otherwise: Certified) =>
    x509.X509CertificateGenerator.create({
      subject,
      issuer: certificate.subject,
      signingKey: keys.privateKey,
      publicKey,
      ...usual(otherwise),
    })
  return {
    certificate,
    der: Buffer.from(certificate.rawData),
    pem: certificate.toString('pem'),
    async below(name, otherwise = {}) {
      const own = await newKeys()
      return makerOf(await issue(`CN=${name}`, own.publicKey, { isAuthority: true, ...otherwise }), own)
    },
    async device(subject, { publicKey, ...otherwise } = {}) {
      const own = await newKeys()
      const given = publicKey === undefined ? own.publicKey : await imported(publicKey)
      return {
        der: Buffer.from((await issue(subject, given, otherwise)).rawData),
        sign: signer(own.privateKey),
      }
    },
  }
}

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

function imported(key: KeyObject): Promise<CryptoKey> {
  const spki = new Uint8Array(key.export({ format: 'der', type: 'spki' }))
  return crypto.subtle.importKey('spki', spki, algorithm, true, ['verify'])
}

function usual({
  from = -1,
  to = 365,
  isAuthority = false,
  pathLength,
  serialNumber,
  crl,
  extensions = [],
}: Certified) {
  const lists = crl === undefined ? [] : [new x509.CRLDistributionPointsExtension([crl])]
  return {
    ...(serialNumber !== undefined && { serialNumber }),
    notBefore: new Date(Date.now() + from * day),
    notAfter: new Date(Date.now() + to * day),
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(isAuthority, pathLength, true), ...lists, ...extensions],
  }
}

/** Signs the way a device does: ECDSA with SHA-256, as DER. */
function signer(key: CryptoKey) {
  return async (bytes: Uint8Array): Promise<Buffer> => {
    return createSign('sha256').update(bytes).sign(KeyObject.from(key))
  }
}

/** The form in which operators trust a manufacturer. */
export function rootOf({ der }: DeviceMaker): TrustedRoot {
  const certificate = new X509Certificate(der)
  return { certificate, fingerprint: fingerprintOf(certificate) }
}

import 'reflect-metadata'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

/** A TLS server's certificate and key, as PEM. */
export interface Leaf {
  readonly key: string
  readonly cert: string
}

const lifetimeInMilliseconds = 14 * 24 * 3600 * 1000
/** A phone's clock may be slightly behind. */
const earlierInMilliseconds = 3600 * 1000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/**
 * Creates a self-signed certificate for this machine's names and addresses, valid for 14 days.
 * [Note: A leaf, no authority] It cannot vouch for other names, and does not install an authority that could. The person
 * accepts it once, on one phone.
 * @param now milliseconds since 1970
 */
export async function makeLeaf(names: readonly string[], now: number): Promise<Leaf> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Selfsame on this network',
    notBefore: new Date(now - earlierInMilliseconds),
    notAfter: new Date(now + lifetimeInMilliseconds),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), cert: certificate.toString('pem') }
}

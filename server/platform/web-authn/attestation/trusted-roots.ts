import { X509Certificate } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** A certificate that the operator trusts to vouch for devices. */
export interface TrustedRoot {
  /** The certificate's SHA-256, in hex. */
  readonly fingerprint: string
  readonly certificate: X509Certificate
}

/** The trusted roots; undefined if none are configured, in which case no attestation is requested. */
export type TrustedRoots = readonly TrustedRoot[] | undefined

const endings: ReadonlySet<string> = new Set(['.pem', '.crt', '.cer', '.der'])
const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * Reads the folder of `PASSKEY_ROOTS`: one certificate per file, or several as PEM.
 * @param now milliseconds since 1970
 * @throws an Error that names the file if it cannot be read, contains no certificate, or contains one that is not valid
 * now
 */
export async function openTrustedRoots(folder: string | undefined, now: number): Promise<TrustedRoots> {
  if (folder === undefined) return undefined
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) =>
    refuse(`${folder} cannot be read (${error.code}).`),
  )
  const files = names.filter((name) => endings.has(extname(name).toLowerCase())).sort()
  if (files.length === 0)
    refuse(`${folder} contains no certificate. Add files that end in .pem, .crt, .cer or .der.`)
  const read = await Promise.all(files.map((name) => readCertificates(folder, name, now)))
  const roots = new Map(read.flat().map((certificate) => [fingerprintOf(certificate), certificate]))
  return [...roots].map(([fingerprint, certificate]) => ({ fingerprint, certificate }))
}

/** A summary of the roots, for the startup log. */
export function rootsWords(roots: readonly TrustedRoot[]): string {
  return `Trusted roots of passkey devices: ${roots.length} (PASSKEY_ROOTS). They vouch for a device, never for a camera.`
}

/** The root with this fingerprint, if it is still trusted. */
export function standingRoot(roots: TrustedRoots, fingerprint: string, now: number): TrustedRoot | undefined {
  return roots?.find((root) => root.fingerprint === fingerprint && isValid(root.certificate, now))
}

/** A certificate's SHA-256, in lower-case hex. */
export function fingerprintOf({ fingerprint256 }: X509Certificate): string {
  return fingerprint256.replaceAll(':', '').toLowerCase()
}

/** True if its validity period has begun and not ended. */
export function isValid({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo)
}

async function readCertificates(folder: string, name: string, now: number): Promise<X509Certificate[]> {
  const bytes = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) =>
    refuse(`${name} cannot be read (${error.code}).`),
  )
  const blocks = bytes.toString('latin1').match(block)
  const certificates = (blocks ?? [bytes]).map((one) => {
    try {
      return new X509Certificate(one)
    } catch {
      return refuse(`${name} is not a certificate, neither as PEM nor as DER.`)
    }
  })
  for (const one of certificates) {
    if (isValid(one, now)) continue
    const isEarly = Date.parse(one.validFrom) > now
    refuse(isEarly ? `${name} is not valid before ${one.validFrom}.` : `${name} expired on ${one.validTo}.`)
  }
  return certificates
}

function refuse(words: string): never {
  throw new Error(`The settings are wrong.\n  PASSKEY_ROOTS: ${words}`)
}

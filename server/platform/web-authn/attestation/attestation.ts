import type { X509Certificate } from 'node:crypto'
import type { Unattested } from '#shared/contract/sessions/session-passkey.ts'
import { Problem } from '#shared/problem.ts'
import { holdsAndroidKey, isLockedAndVerified, isOfSoftware } from './android-key.ts'
import { attestationFormats } from './attestation-formats.ts'
import { vouchedBy } from './chain.ts'
import { type ChainCertificate, chainCertificateOf } from './chain-certificate.ts'
import { type Registration, type Statement, statementOf } from './statement.ts'
import { mayLeaveChip } from './tpm-key.ts'
import type { TrustedRoots } from './trusted-roots.ts'

/** What a maker said of the device that a passkey is in, as it was when the passkey was bound. */
export interface Attestation {
  /** As WebAuthn names how it was said. */
  readonly format: string
  /** The model of the device, as its maker numbers it. */
  readonly aaguid: string
  /** SHA-256 of the certificate that vouched, as hex. */
  readonly root: string
  /** When it was judged: milliseconds since 1970. */
  readonly at: number
  /**
   * Every certificate from the device's own to the trusted root. Absent from passkeys that 0.2.0 stored: they cannot be compared with
   * revoked serial numbers.
   */
  readonly chain?: readonly ChainCertificate[]
}

/** That a device is vouched for, or why it is not. */
export type Attested =
  | { readonly attestation: Attestation; readonly unattestedBecause?: never }
  | { readonly attestation?: never; readonly unattestedBecause: Unattested }

interface Given {
  readonly registration: Registration
  readonly aaguid: string
  readonly roots: TrustedRoots
  /** Milliseconds since 1970. */
  readonly now: number
  /** Checks the statement itself, but for its chain. @throws where it does not hold */
  readonly verify: () => Promise<unknown>
}

/**
 * Judges what a device said of itself. [Note: Unattested is no fault] A passkey that nobody vouches for is bound all the same,
 * and says why; what is malformed, or signed by something else, is no answer of a device.
 * @throws {Problem} 400 where it is malformed, or its signature does not hold
 */
export async function attestationOf({ registration, aaguid, roots, now, verify }: Given): Promise<Attested> {
  if (roots === undefined) return { unattestedBecause: 'notAsked' }
  const statement = orRefuse(() => statementOf(registration))
  const { format, chain } = statement
  const unattestedBecause = orRefuse(() => weakness(statement))
  if (unattestedBecause === 'selfAttested') await verified(verify)
  if (unattestedBecause !== undefined) return { unattestedBecause }
  const vouched = vouchedBy(chain, roots, now)
  if (!('root' in vouched)) return { unattestedBecause: vouched.because }
  await verified(() => (format === 'android-key' ? androidKey(statement) : verify()))
  const root = vouched.root.fingerprint
  return { attestation: { format, aaguid, root, at: now, chain: vouched.path.map(chainCertificateOf) } }
}

/** What keeps it from being vouched for, whoever would. */
function weakness({ format, chain, isSynced, publicArea }: Statement): Unattested | undefined {
  if (format === 'none') return 'notSent'
  if (!attestationFormats.some((one) => one === format)) return 'unsupportedFormat'
  if (format === 'packed' && chain.length === 0) return 'selfAttested'
  const [own] = chain
  if (own === undefined) throw new Error('No chain')
  if (isSynced) return 'synced'
  if (format === 'tpm' && mayLeaveChip(publicArea)) return 'softwareKey'
  return format === 'android-key' ? weaknessOfPhone(own) : undefined
}

function weaknessOfPhone(own: X509Certificate): Unattested | undefined {
  if (isOfSoftware(own)) return 'softwareKey'
  return isLockedAndVerified(own) ? undefined : 'unlockedDevice'
}

async function androidKey({ signed, chain }: Statement): Promise<void> {
  if (!(await holdsAndroidKey(signed, chain[0]!))) throw new Error('The statement does not hold')
}

async function verified(verify: () => Promise<unknown>): Promise<void> {
  await verify().catch(refuse)
}

function orRefuse<T>(read: () => T): T {
  try {
    return read()
  } catch {
    return refuse()
  }
}

function refuse(): never {
  throw Problem.at(
    '#/response/response/attestationObject',
    'The attestation is malformed, or was not signed by the device that it names.',
  )
}

import type { X509Certificate } from 'node:crypto'
import type { UnattestedReason } from '#shared/contract/sessions/session-passkey.ts'
import { Problem } from '#shared/problem.ts'
import { holdsAndroidKey, isLockedAndVerified, isOfSoftware } from './android-key.ts'
import { attestationFormats } from './attestation-formats.ts'
import { vouchedBy } from './chain.ts'
import { type ChainCertificate, chainCertificateOf } from './chain-certificate.ts'
import { type Registration, type Statement, statementOf } from './statement.ts'
import { mayLeaveChip } from './tpm-key.ts'
import type { TrustedRoots } from './trusted-roots.ts'

/** A manufacturer's attestation for the device that has a passkey, made when the passkey was bound. */
export interface Attestation {
  /** The attestation format's WebAuthn name. */
  readonly format: string
  /** The device's model, as numbered by its manufacturer. */
  readonly aaguid: string
  /** The root certificate's SHA-256, in hex. */
  readonly root: string
  /** When the attestation was verified, in milliseconds since 1970. */
  readonly at: number
  /**
   * Every certificate from the device's own to the trusted root. Absent from passkeys that 0.2.0 stored, which therefore
   * cannot be compared with revoked serial numbers.
   */
  readonly chain?: readonly ChainCertificate[]
}

/** A device's attestation, or the reason that it is not attested. */
export type AttestationOutcome =
  | { readonly attestation: Attestation; readonly unattestedBecause?: never }
  | { readonly attestation?: never; readonly unattestedBecause: UnattestedReason }

interface AttestationInput {
  readonly registration: Registration
  readonly aaguid: string
  readonly roots: TrustedRoots
  /** Milliseconds since 1970. */
  readonly now: number
  /** Verifies the statement except for its chain. @throws if it is not valid */
  readonly verify: () => Promise<unknown>
}

/**
 * Judges the attestation of a device. [Note: Unattested is no fault] A passkey without a valid attestation is still bound
 * and records why. Malformed data, or data signed by something else, does not come from a device and is refused.
 * @throws {Problem} 400 if it is malformed or its signature is invalid
 */
export async function judgeAttestation({
  registration,
  aaguid,
  roots,
  now,
  verify,
}: AttestationInput): Promise<AttestationOutcome> {
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

/** The reason that the device cannot count as attested, whichever root signed it. */
function weakness({ format, chain, isSynced, publicArea }: Statement): UnattestedReason | undefined {
  if (format === 'none') return 'notSent'
  if (!attestationFormats.some((one) => one === format)) return 'unsupportedFormat'
  if (format === 'packed' && chain.length === 0) return 'selfAttested'
  const [own] = chain
  if (own === undefined) throw new Error('No chain')
  if (isSynced) return 'synced'
  if (format === 'tpm' && mayLeaveChip(publicArea)) return 'softwareKey'
  return format === 'android-key' ? weaknessOfPhone(own) : undefined
}

function weaknessOfPhone(own: X509Certificate): UnattestedReason | undefined {
  if (isOfSoftware(own)) return 'softwareKey'
  return isLockedAndVerified(own) ? undefined : 'unlockedDevice'
}

async function androidKey({ signed, chain }: Statement): Promise<void> {
  if (!(await holdsAndroidKey(signed, chain[0]!))) throw new Error('The statement is not valid')
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

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Problem } from '#shared/problem.ts'
import type { AttestationOutcome } from './attestation/attestation.ts'
import { attestationFormats } from './attestation/attestation-formats.ts'
import type { TrustedRoots } from './attestation/trusted-roots.ts'
import type { RelyingParty } from './relying-party.ts'

/** [Note: A hint, and unsigned] How the device can be reached, as it reports. Unknown values are dropped. */
const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/**
 * [Note: Passkeys' library is loaded where one is used] Along with its certificate parser, it is a quarter of all the code
 * that a start would load.
 */
const library = () => import('@simplewebauthn/server')

/** The facts that a device reports about a passkey. */
export interface Credential {
  readonly credentialId: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** The device's signature counter; 0 if the device does not count. */
  readonly counter: number
  readonly transports: readonly string[]
}

export async function requestOptions(party: RelyingParty, known: readonly Credential[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: known.map(listed),
    userVerification: 'required',
  })
}

/**
 * [Note: A passkey names nobody] The device shows and stores only the account's name and random bytes.
 * [Note: What is vouched for stays in its device] If attestation is requested, discoverable passkeys are discouraged:
 * phones create those as copyable, and attest only the others.
 */
export async function creationOptions(
  party: RelyingParty,
  name: string,
  known: readonly Credential[],
  isAttestationAsked: boolean,
) {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpID: party.id,
    rpName: name,
    userName: name,
    attestationType: isAttestationAsked ? 'direct' : 'none',
    excludeCredentials: known.map(listed),
    authenticatorSelection: {
      residentKey: isAttestationAsked ? 'discouraged' : 'preferred',
      userVerification: 'required',
    },
  })
  return isAttestationAsked ? { ...options, attestationFormats } : options
}

/** Options for a discoverable passkey, so that signing in does not require typing a name. */
export async function signInCreationOptions(
  party: RelyingParty,
  product: string,
  userName: string,
  known: readonly Credential[] = [],
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: product,
    userName,
    userDisplayName: userName,
    attestationType: 'none',
    excludeCredentials: known.map(listed),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

function listed({ credentialId, transports }: Credential) {
  return { id: credentialId, transports: [...transports] }
}

/** A device's response, and the challenge that it should have signed. */
export interface Answer {
  readonly party: RelyingParty
  readonly challenge: string
  readonly response: unknown
  /** Origins that may frame the page. */
  readonly embedOrigins: readonly string[]
}

/** The passkey that the device created, ignoring any attestation. @throws {Problem} 400 */
export async function registered(answer: Answer): Promise<Credential> {
  return (await taken(answer)).credential
}

/** The passkey and its attestation. @throws {Problem} 400, also if the attestation is malformed */
export async function attested(
  answer: Answer,
  { roots, now }: { readonly roots: TrustedRoots; readonly now: number },
): Promise<{ credential: Credential; attested: AttestationOutcome }> {
  const { credential, aaguid } = await taken(answer)
  const registration = answer.response as RegistrationResponseJSON
  const verify = () => verifiedBy(answer, registration)
  const { judgeAttestation } = await import('./attestation/attestation.ts')
  return { credential, attested: await judgeAttestation({ registration, aaguid, roots, now, verify }) }
}

async function taken(answer: Answer) {
  const { withoutStatement } = await import('./attestation/statement.ts')
  try {
    const stripped = withoutStatement(answer.response as RegistrationResponseJSON)
    const { credential, aaguid } = await verifiedBy(answer, stripped)
    const { id: credentialId, publicKey, counter, transports } = credential
    return {
      aaguid,
      credential: {
        credentialId,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: knownTransports.filter((one) => Array.isArray(transports) && transports.includes(one)),
      },
    }
  } catch {
    return refuse()
  }
}

async function verifiedBy({ party, challenge }: Answer, response: RegistrationResponseJSON) {
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
  })
  if (!verified) throw refused()
  return registrationInfo
}

/** The facts that a passkey reports when it is used. */
export interface Assertion {
  /** The signature counter. */
  readonly counter: number
  /** True if the passkey may be copied to other devices. */
  readonly isSynced: boolean
}

/** @throws {Problem} 400 if the signature is invalid or the passkey was copied */
export async function asserted(answer: Answer, passkey: Credential): Promise<Assertion> {
  const { party, challenge, response, embedOrigins } = answer
  const { credentialId: id, counter, transports } = passkey
  const { verifyAuthenticationResponse } = await library()
  const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'))
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    expectedTopOrigin: [...embedOrigins],
    credential: { id, publicKey, counter, transports: [...transports] },
  }).catch(refuse)
  if (!verified) throw refused()
  const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo
  return { counter: newCounter, isSynced: credentialDeviceType === 'multiDevice' || credentialBackedUp }
}

export function credentialIdOf(response: unknown): string {
  const { id } = response as { id?: unknown }
  return typeof id === 'string' ? id : ''
}

/** The same answer for every cause. */
export function refused(): Problem {
  return Problem.at('#/response', "Must be the device's response to the latest options of this session.")
}

function refuse(): never {
  throw refused()
}

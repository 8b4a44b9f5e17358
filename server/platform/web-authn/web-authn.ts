import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Problem } from '#shared/problem.ts'
import type { Attested } from './attestation/attestation.ts'
import { attestationFormats } from './attestation/attestation-formats.ts'
import type { TrustedRoots } from './attestation/trusted-roots.ts'
import type { RelyingParty } from './relying-party.ts'

/** [Note: A hint, and unsigned] How a device says that it is reached: what is none of these is not kept. */
const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** [Note: Passkeys' library is loaded where one is used] With what reads certificates it is a quarter of all that a start would read. */
const library = () => import('@simplewebauthn/server')

/** Of a passkey, what its device knows. */
export interface Credential {
  readonly credentialId: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** How often it says that it was used; 0 for one that does not count. */
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
 * [Note: A passkey names nobody] What the device shows and keeps is the account's name, and random bytes.
 * [Note: What is vouched for stays in its device] Where attestation is asked for, a passkey that says by itself whose it is is not wanted:
 * telephones make those to be copied, and vouch for the others alone.
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

/** For a passkey that says by itself whose it is: nobody types a name to sign in. */
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

/** What a device answered, and what it was to sign. */
export interface Answer {
  readonly party: RelyingParty
  readonly challenge: string
  readonly response: unknown
  /** Origins that may frame the page. */
  readonly embedOrigins: readonly string[]
}

/** The passkey that the device made, whatever it says of itself. @throws {Problem} 400 */
export async function registered(answer: Answer): Promise<Credential> {
  return (await taken(answer)).credential
}

/** The same, and who vouches for the device. @throws {Problem} 400 also where what it says of itself is malformed */
export async function attested(
  answer: Answer,
  { roots, now }: { readonly roots: TrustedRoots; readonly now: number },
): Promise<{ credential: Credential; attested: Attested }> {
  const { credential, aaguid } = await taken(answer)
  const registration = answer.response as RegistrationResponseJSON
  const verify = () => verifiedBy(answer, registration)
  const { attestationOf } = await import('./attestation/attestation.ts')
  return { credential, attested: await attestationOf({ registration, aaguid, roots, now, verify }) }
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

/** What a passkey says when it is shown. */
export interface Assertion {
  /** How often it was used. */
  readonly counter: number
  /** Whether it may be copied to other devices. */
  readonly isSynced: boolean
}

/** @throws {Problem} 400 where it did not sign, or was copied */
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

/** One answer for whatever is wrong with it. */
export function refused(): Problem {
  return Problem.at('#/response', "Must be the device's response to the latest options of this session.")
}

function refuse(): never {
  throw refused()
}

import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { Problem } from '#shared/problem.ts'
import type { Passkey } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

/** [Note: A hint, and unsigned] How a device says that it is reached: what is none of these is not kept. */
const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** Of a passkey, what its device knows. */
export type Credential = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>

export function requestOptions(party: RelyingParty, known: readonly Credential[]) {
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: known.map(listed),
    userVerification: 'required',
  })
}

/** [Note: A passkey names nobody] What the device shows and keeps is the account's name, and random bytes. */
export function creationOptions(party: RelyingParty, name: string, known: readonly Credential[]) {
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: name,
    userName: name,
    attestationType: 'none',
    excludeCredentials: known.map(listed),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
}

/** For a passkey that says by itself whose it is: nobody types a name to sign in. */
export function signInCreationOptions(
  party: RelyingParty,
  product: string,
  userName: string,
  known: readonly Credential[] = [],
) {
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

/** The passkey that the device made. @throws {Problem} 400 */
export async function registered({ party, challenge, response }: Answer): Promise<Credential> {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
  }).catch(refuse)
  if (!verified) throw refused()
  const { id: credentialId, publicKey, counter, transports } = registrationInfo.credential
  return {
    credentialId,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: knownTransports.filter((one) => Array.isArray(transports) && transports.includes(one)),
  }
}

/** How often the passkey says that it was used. @throws {Problem} 400 where it did not sign, or was copied */
export async function asserted(answer: Answer, passkey: Credential): Promise<number> {
  const { party, challenge, response, embedOrigins } = answer
  const { credentialId: id, counter, transports } = passkey
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
  return authenticationInfo.newCounter
}

export function credentialIdOf(response: unknown): string {
  const { id } = response as { id?: unknown }
  return typeof id === 'string' ? id : ''
}

/** One answer for whatever is wrong with it. */
export function refused(): Problem {
  return Problem.at('#/response', 'Must be what the device answered to the last options of this session.')
}

function refuse(): never {
  throw refused()
}

import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** The browser's WebAuthn answer as JSON. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>

/** Asks for a passkey for this site. Rejects if the person declines or the device cannot provide one. */
export async function showPasskey(options: unknown): Promise<PasskeyAnswer> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return { ...(await startAuthentication({ optionsJSON })) }
}

/** Creates a passkey for this site. Rejects if the person declines or the device cannot create one. */
export async function makePasskey(options: unknown): Promise<PasskeyAnswer> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return { ...(await startRegistration({ optionsJSON })) }
}

import { startAuthentication, startRegistration } from '@simplewebauthn/browser'

/** What the device made with a passkey, as WebAuthn writes it. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>

/** Shows a passkey of this site; rejects where the person would not, or the device cannot. */
export async function showPasskey(options: unknown): Promise<PasskeyAnswer> {
  return { ...(await startAuthentication({ optionsJSON: options as never })) }
}

/** Makes a passkey for this site; rejects likewise. */
export async function makePasskey(options: unknown): Promise<PasskeyAnswer> {
  return { ...(await startRegistration({ optionsJSON: options as never })) }
}

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { call } from '#shared/call.ts'
import {
  bindPasskey,
  createPasskeyOptions,
  type PasskeyCeremony,
  verifyPasskey,
} from '#shared/contract/sessions/session-passkey.ts'
import { fetchWithin } from './fetch-within.ts'

const answerMilliseconds = 20_000
const plainFetch = fetchWithin(answerMilliseconds)

/** The parts of the window that determine whether passkeys are available. */
export interface Place {
  readonly isSecureContext: boolean
  readonly parent: unknown
  readonly PublicKeyCredential?: unknown
  readonly document: unknown
}

interface FeaturePolicy {
  allowsFeature(name: string): boolean
}

/**
 * True if this page may use and create passkeys. In a frame, the embedding page must delegate both; browsers that
 * do not report this are treated as a no.
 */
export function canUsePasskeys(page: Place): boolean {
  if (!page.isSecureContext || typeof page.PublicKeyCredential !== 'function') return false
  const { featurePolicy } = page.document as { featurePolicy?: FeaturePolicy }
  const allows = (name: string) => featurePolicy?.allowsFeature(name) === true
  const isDelegated = allows('publickey-credentials-get') && allows('publickey-credentials-create')
  return page.parent === page || isDelegated
}

/** Uses or creates a passkey for this token's session. Resolves to true on success; only the device knows why it failed. */
export async function holdCeremony(
  origin: string,
  token: string,
  ceremony: PasskeyCeremony,
): Promise<boolean> {
  const credential = { bearer: token }
  try {
    const { startAuthentication, startRegistration } = await import('@simplewebauthn/browser')
    const { options }: { options: unknown } = await call(plainFetch, origin, createPasskeyOptions, {
      credential,
      body: { ceremony },
    })
    if (ceremony === 'verify') {
      const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
      const response = { ...(await startAuthentication({ optionsJSON })) }
      await call(plainFetch, origin, verifyPasskey, { credential, body: { response } })
    } else {
      const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
      const response = { ...(await startRegistration({ optionsJSON })) }
      await call(plainFetch, origin, bindPasskey, { credential, body: { response } })
    }
    return true
  } catch {
    return false
  }
}

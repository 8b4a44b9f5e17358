/** The page properties that determine whether passkeys work. */
export interface PasskeyPage {
  readonly isSecureContext: boolean
  readonly location: { readonly hostname: string }
  readonly PublicKeyCredential?: unknown
}

/**
 * Why passkeys do not work here: `address` on an IP address or without https, `browser` if it lacks WebAuthn, as WebKitGTK does.
 * Undefined if they work.
 */
export function passkeyHindranceOf(page: PasskeyPage): 'address' | 'browser' | undefined {
  const isNumber = /^[\d.]+$|^\[/.test(page.location.hostname)
  if (isNumber || !page.isSecureContext) return 'address'
  return typeof page.PublicKeyCredential === 'function' ? undefined : 'browser'
}

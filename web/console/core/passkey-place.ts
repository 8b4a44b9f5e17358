/** Properties of a page that decide whether passkeys work on it. */
export interface PasskeyPage {
  readonly isSecureContext: boolean
  readonly location: { readonly hostname: string }
  readonly PublicKeyCredential?: unknown
}

/**
 * Why passkeys do not work here: `address`, on an IP address or without https; `browser`, without WebAuthn, as in WebKitGTK.
 * Undefined if they work.
 */
export function passkeyHindranceOf(page: PasskeyPage): 'address' | 'browser' | undefined {
  const isNumber = /^[\d.]+$|^\[/.test(page.location.hostname)
  if (isNumber || !page.isSecureContext) return 'address'
  return typeof page.PublicKeyCredential === 'function' ? undefined : 'browser'
}

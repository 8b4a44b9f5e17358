/** What a page tells of its address and its browser. */
export interface PasskeyPage {
  readonly isSecureContext: boolean
  readonly location: { readonly hostname: string }
  readonly PublicKeyCredential?: unknown
}

/**
 * Why no passkey can be shown or made here: `address`, at an IP address or without https; `browser`, where it has none, as WebKitGTK.
 * Undefined where one can.
 */
export function passkeyHindranceOf(page: PasskeyPage): 'address' | 'browser' | undefined {
  const isNumber = /^[\d.]+$|^\[/.test(page.location.hostname)
  if (isNumber || !page.isSecureContext) return 'address'
  return typeof page.PublicKeyCredential === 'function' ? undefined : 'browser'
}

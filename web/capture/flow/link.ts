import { upToSignature } from '#shared/signed-query.ts'
import { unlessRefused } from '#web/ui/unless-refused.ts'

/** The request encoded in the page's address. */
export type Link =
  | { readonly kind: 'signed'; readonly verificationId: string; readonly queryString: string }
  | { readonly kind: 'session'; readonly sessionId: string; readonly token: string | null }
  | { readonly kind: 'handoff'; readonly code: string | null }
  | { readonly kind: 'none' }

/** Reads an address. The query is passed on unchanged up to its signature, which covers every preceding byte. */
export function readLink(address: { pathname: string; search: string; hash: string }): Link {
  if (address.pathname === '/handoff') return { kind: 'handoff', code: secretOf(address.hash) }
  const session = /^\/(?:verification|popup)\/session\/([^/]+)\/?$/.exec(address.pathname)?.[1]
  if (session !== undefined) {
    return { kind: 'session', sessionId: decode(session), token: secretOf(address.hash) }
  }
  const verificationId = /^\/(?:verification|popup)\/([^/]+)\/?$/.exec(address.pathname)?.[1]
  if (verificationId === undefined) return { kind: 'none' }
  return {
    kind: 'signed',
    verificationId: decode(verificationId),
    queryString: upToSignature(address.search).slice(1),
  }
}

/** A token or a code, without any punctuation that another program mistook for part of the address. */
function secretOf(hash: string): string | null {
  return /^#([\w-]+(?:\.[\w-]+)*)/.exec(hash)?.[1] ?? null
}

/** [Note: Dropped as it is read] Text after the signature is not signed and may contain names, so it is removed immediately. */
export function dropAppended(history: History, location: Location): void {
  if (readLink(location).kind !== 'signed') return // its fragment is a secret that is needed
  const signed = `${location.pathname}${upToSignature(location.search)}`
  if (signed !== `${location.pathname}${location.search}${location.hash}`) show(history, signed)
}

/** True if the address is complete. It then opens its own session, even if this tab had a different one open. */
export function isWhole(link: Link): boolean {
  if (link.kind === 'signed') return link.queryString !== ''
  if (link.kind === 'session') return link.token !== null
  return link.kind === 'handoff' && link.code !== null
}

/** [Note: Stripped links] A used link has no value but contains names of people, so it is removed from the address bar and the history. */
export function stripLink(history: History, location: Location): void {
  if (location.search !== '' || location.hash !== '') show(history, location.pathname)
}

/** Some browsers refuse to change the address, for example if a page does so often. The visit goes on regardless. */
function show(history: History, address: string): void {
  unlessRefused(() => history.replaceState(history.state, '', address))
}

/** A link that continues the same session in another tab or on another device. */
export function sessionLink(origin: string, sessionId: string, token: string): string {
  return `${origin}/verification/session/${encodeURIComponent(sessionId)}#${token}`
}

/** Returns the address if it uses http or https, otherwise null. */
export function safeRedirect(address: string | null): string | null {
  if (address === null) return null
  try {
    const { protocol } = new URL(address)
    return protocol === 'https:' || protocol === 'http:' ? address : null
  } catch {
    return null
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

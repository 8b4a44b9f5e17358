/**
 * Messages for an embedding page: the page is ready, how much height it needs, what is blocking it, and finally the address that it
 * would otherwise have navigated to. [Note: Embedding origin]
 */
export type EmbedderMessage =
  | { readonly redirectedTo: string }
  | { readonly shown: true }
  | { readonly height: number }
  | { readonly problem: string }

/** The parts of the window that are needed for leaving the page. */
export interface Exit {
  readonly place: 'alone' | 'frame' | 'popup'
  /** The origin of the page that framed or opened this one; null if neither the browser nor the window's name reveals it. */
  readonly embedder: string | null
  /** Posts a message to the page that framed or opened this one. */
  post(message: EmbedderMessage, targetOrigin: string): void
  replace(address: string): void
}

/** Navigates to an address. The list contains the origins that may embed the page. */
export type Depart = (redirectUrl: string, allowedOrigins: readonly string[]) => void

/**
 * Leaves the page: navigates to the address or, if an allowed origin embeds the page, posts one message to that origin instead.
 * [Note: Embedding origin] Any page could have opened a popup, so if the browser does not reveal the opener, the popup navigates by
 * itself. A frame is only displayed in an allowed origin. If it does not know which, it posts to each of them,
 * and the browser delivers the message only to the right one.
 */
export function createDepart(exit: Exit): Depart {
  let isSent = false
  return (redirectUrl, allowedOrigins) => {
    const targets = targetsOf(exit, allowedOrigins)
    if (targets.length === 0) return exit.replace(redirectUrl)
    if (isSent) return
    isSent = true
    for (const origin of targets) exit.post({ redirectedTo: redirectUrl }, origin)
  }
}

function targetsOf({ place, embedder }: Exit, allowed: readonly string[]): readonly string[] {
  if (place === 'alone') return []
  if (embedder !== null) return allowed.filter((origin) => origin === embedder)
  return place === 'frame' ? allowed : []
}

/**
 * The exit of a real window. [Note: A site without a referrer] Many sites hide the referrer, so our script writes its
 * origin into the name of the window that it opens. Other pages could write any origin, but the browser delivers messages only to the named one.
 */
export function exitOf(page: Window): Exit {
  const opener = page.opener as Window | null
  const isFramed = page.parent !== page
  const host = isFramed ? page.parent : opener
  const named = isFramed ? null : originOf(page.name)
  return {
    place: isFramed ? 'frame' : opener === null ? 'alone' : 'popup',
    embedder: page.location.ancestorOrigins?.[0] ?? originOf(page.document.referrer) ?? named,
    post: (message, targetOrigin) => host?.postMessage(message, targetOrigin),
    replace: (address) => page.location.replace(address),
  }
}

function originOf(address: string): string | null {
  try {
    return new URL(address).origin
  } catch {
    return null
  }
}

/**
 * What an embedder learns: that the page is there, how high it would be, that it cannot go on as it is and why, and at last where
 * it would have led. [Note: Embedding origin]
 */
export type EmbedderMessage =
  | { readonly redirectedTo: string }
  | { readonly shown: true }
  | { readonly height: number }
  | { readonly problem: string }

/** What the page needs of its window to leave it. */
export interface Exit {
  readonly place: 'alone' | 'frame' | 'popup'
  /** The origin of whoever frames or opened the page; null where neither the browser nor the window's name tells. */
  readonly embedder: string | null
  /** Posts to whoever frames or opened the page. */
  post(message: EmbedderMessage, targetOrigin: string): void
  replace(address: string): void
}

/** Leaves for an address; the list holds the origins that may embed the page. */
export type Depart = (redirectUrl: string, allowedOrigins: readonly string[]) => void

/**
 * Leaves the page: to the address, or, embedded by an allowed origin, with one message to that origin instead.
 * [Note: Embedding origin] A popup may have been opened by anybody: where the browser does not tell by whom, it goes on by
 * itself. A frame is in an allowed origin, or it would not have been shown: where it does not know which, each of them is
 * addressed, and the browser delivers to the one that it is.
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
 * The exit of a real window. [Note: A site without a referrer] Many sites tell no page where its visitors come from. Theirs writes its
 * origin into the name of the window that it opens. Anybody could write any: what is posted to an origin, the browser delivers to nobody else.
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

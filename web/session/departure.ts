/** What the page needs of its window to leave it. */
export interface Exit {
  readonly embedded: boolean
  /** Posts to whoever embeds or opened the page. */
  post(message: { redirectedTo: string }, targetOrigin: string): void
  replace(address: string): void
}

/**
 * Leaves the page: to the address, or, embedded by an allowed origin, with one message to that origin alone.
 * [Note: Embedding origin] The capture plan does not name the origin yet; until it does the frame itself goes on.
 */
export function depart(exit: Exit, redirectUrl: string, embeddingOrigin: string | null): void {
  if (exit.embedded && embeddingOrigin !== null) exit.post({ redirectedTo: redirectUrl }, embeddingOrigin)
  else exit.replace(redirectUrl)
}

/** The exit of a real window. */
export function exitOf(page: Window): Exit {
  const host = page.parent !== page ? page.parent : (page.opener as Window | null)
  return {
    embedded: host !== null,
    post: (message, targetOrigin) => host?.postMessage(message, targetOrigin),
    replace: (address) => page.location.replace(address),
  }
}

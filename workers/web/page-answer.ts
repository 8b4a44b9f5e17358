/** The possible responses to a navigation. */
export interface PageSources {
  /** The navigation preload that the browser started while the service worker was starting up. Undefined if there is none. */
  readonly preloaded: Promise<Response | undefined>
  readonly fetch: () => Promise<Response>
  /** Returns the cached page, or undefined if there is none. */
  readonly kept: () => Promise<Response | undefined>
}

/**
 * [Note: Network first, and never kept] The page comes from the server, and from the cache only without a network or if
 * the server is down. The cache contains the bare page; addresses of links never enter it, and the API decides about the
 * validity of a link. Without a network, Chromium and WebKit reject the preload, while Firefox resolves it with an error
 * response of status 0.
 */
export async function answerPage({ preloaded, fetch, kept }: PageSources): Promise<Response> {
  const answer = await preloaded.then((early) => early ?? fetch()).catch(() => undefined)
  if (answer !== undefined && answer.type !== 'error' && answer.status < 500) return answer
  return (await kept()) ?? answer ?? Response.error()
}

/** What a page that is navigated to may be answered with. */
export interface PageSources {
  /** What the browser has asked for while the service worker woke; undefined where it does not. */
  readonly preloaded: Promise<Response | undefined>
  readonly fetch: () => Promise<Response>
  /** What is kept for the address; undefined where nothing is. */
  readonly kept: () => Promise<Response | undefined>
}

/**
 * [Note: Network first, and never kept] The page comes from the server, and from the shelf only where there is none or it
 * is down. The shelf holds the bare page: the address of a link never gets there, and what a link is worth the API says.
 * Where there is no network Chromium and WebKit reject what was preloaded; Firefox answers it with an error, whose status is 0.
 */
export async function answerPage({ preloaded, fetch, kept }: PageSources): Promise<Response> {
  const answer = await preloaded.then((early) => early ?? fetch()).catch(() => undefined)
  if (answer !== undefined && answer.type !== 'error' && answer.status < 500) return answer
  return (await kept()) ?? answer ?? Response.error()
}

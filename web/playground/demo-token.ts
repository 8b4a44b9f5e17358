import { call, type Fetch } from '#shared/call.ts'
import type { Endpoint } from '#shared/endpoint.ts'

/** How long before its expiry the demo's bearer token is renewed. */
const renewedBeforeMilliseconds = 60_000

interface Bearer {
  readonly token: string
  readonly expirationUtcTime: string
}

const getDemoToken = { method: 'GET', path: '/demo/token' } as Endpoint

/**
 * Returns a function that supplies the bearer token for demo calls. The token allows analyses, but no access to stored data. Concurrent
 * calls share one request. Rejects with the server's `Problem`.
 */
export function createDemoToken(origin: string, fetch: Fetch): () => Promise<string> {
  let bearer: Promise<Bearer> | undefined
  return async () => {
    const before = bearer
    const known = await before?.catch(() => undefined)
    const isFresh = known && Date.parse(known.expirationUtcTime) - Date.now() > renewedBeforeMilliseconds
    if (isFresh) return known.token
    if (bearer === before) bearer = call(fetch, origin, getDemoToken, {}) as Promise<Bearer>
    return (await bearer!).token
  }
}

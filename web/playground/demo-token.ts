import { call, type Fetch } from '#shared/call.ts'
import type { Endpoint } from '#shared/endpoint.ts'

/** A bearer of the demo is asked for anew so long before it ends. */
const renewedBeforeMilliseconds = 60_000

interface Bearer {
  readonly token: string
  readonly expirationUtcTime: string
}

const getDemoToken = { method: 'GET', path: '/demo/token' } as Endpoint

/**
 * What the demo lets its visitors call with: it reaches the analysis and nothing that is kept. It is fetched once for all calls that ask at the same time.
 * The function rejects with the `Problem` that the server answers.
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

import { randomUUID } from 'node:crypto'

/** A UUID, or 32 hexadecimal digits as proxies make them. */
const adoptable = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32})$/i

/**
 * [Note: Request ids are adopted when they look like one] What a caller sends goes into every log line of the request.
 * No key and no token has either form, so none can get there by this way.
 */
export function requestIdFrom(given: string | string[] | undefined): string {
  return typeof given === 'string' && adoptable.test(given) ? given : randomUUID()
}

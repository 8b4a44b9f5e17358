import { randomUUID } from 'node:crypto'

/** A UUID, or 32 hexadecimal digits as proxies generate them. */
const adoptable = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32})$/i

/**
 * [Note: Request ids are adopted when they look like one] A request id from the caller is written to every log line of
 * the request. Keys and tokens have neither of the accepted forms, so none can reach the log this way.
 */
export function requestIdFrom(given: string | string[] | undefined): string {
  return typeof given === 'string' && adoptable.test(given) ? given : randomUUID()
}

import type { Endpoint } from '#shared/endpoint.ts'

/**
 * [Note: What is recorded] Every operation but those that only read (an export of a person is recorded), the stateless analyses, and these: signing and
 * judging a query changes nothing, nor does a search, nor what a passkey is to sign; a session is recorded when it is opened, when it passes to another
 * device (there by its own code: the request alone does not name the account), and when it ends. A kiosk is recorded by
 * its own code as well: when it is paired, and once for each capture.
 */
const unrecorded = new Set([
  '/v1/signature/create',
  '/v1/signature/validate',
  '/v1/face/search',
  '/v1/verification/submit-step',
  '/v1/verification/submit-session',
  '/v1/verification/create-passkey-options',
  '/v1/kiosk/pair',
  '/v1/kiosk/token',
  '/v1/kiosk/sync',
  '/v1/kiosk/submit',
])

/** Reads, but takes everything of a person along. */
const exported = '/v1/person/export'

export function isRecorded({ method, scope, path }: Endpoint): boolean {
  return path === exported || (method !== 'GET' && scope !== 'analyse' && !unrecorded.has(path))
}

/**
 * Whether an operation may be repeated under an `Idempotency-Key`: with a key or a bearer, where it changes something, which
 * is what the audit log records.
 */
export function isIdempotent(endpoint: Endpoint): boolean {
  return (endpoint.auth === 'key' || endpoint.auth === 'key-or-bearer') && isRecorded(endpoint)
}

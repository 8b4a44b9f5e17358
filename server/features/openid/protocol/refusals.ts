import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Refusal } from '#server/features/openid/pages/error-page.ts'

/** Receives a request's refusal, for its line in the log. */
export type NoteRefusal = (refusal: Refusal) => void

/** Connects requests to their loggers, because the library reports errors as events. */
export interface Refusals {
  expect(req: IncomingMessage, note: NoteRefusal): void
}

const atPeople = 'authorization.error'

/** Every event with which the library reports that it refused a request. */
const events = [
  atPeople,
  'grant.error',
  'pushed_authorization_request.error',
  'revocation.error',
  'userinfo.error',
] as const

/** A library error, with the error code as its message. */
interface ProtocolError {
  readonly error?: string
  readonly message: string
  readonly error_description?: string
}

export function createRefusals(provider: Provider): Refusals {
  const notes = new WeakMap<IncomingMessage, NoteRefusal>()
  for (const event of events) {
    const note = ({ req }: KoaContextWithOIDC, { error, message, error_description }: ProtocolError) =>
      // [Note: A log names no caller] Programs read the description in the response. Some descriptions repeat the request's
      // origin, so they are not logged.
      notes.get(req)?.({
        code: error ?? message,
        ...(event === atPeople && { description: error_description }),
      })
    ;(provider as NodeJS.EventEmitter).on(event, note)
  }
  return { expect: (req, noteRefusal) => void notes.set(req, noteRefusal) }
}

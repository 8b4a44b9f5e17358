import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Refusal } from '#server/features/openid/pages/error-page.ts'

/** Receives the refusal of a request, for its line in the log. */
export type NoteRefusal = (refusal: Refusal) => void

/** Connects requests with those who log them: the library reports errors as events. */
export interface Refusals {
  expect(req: IncomingMessage, note: NoteRefusal): void
}

/** Every event by which the library reports that it refused a request. */
const events = [
  'authorization.error',
  'grant.error',
  'pushed_authorization_request.error',
  'revocation.error',
  'userinfo.error',
] as const

/** An error of the library: its message is the code. */
interface ProtocolError {
  readonly error?: string
  readonly message: string
  readonly error_description?: string
}

export function createRefusals(provider: Provider): Refusals {
  const notes = new WeakMap<IncomingMessage, NoteRefusal>()
  const note = ({ req }: KoaContextWithOIDC, { error, message, error_description }: ProtocolError) =>
    notes.get(req)?.({ code: error ?? message, description: error_description })
  for (const event of events) (provider as NodeJS.EventEmitter).on(event, note)
  return { expect: (req, noteRefusal) => void notes.set(req, noteRefusal) }
}

import type { HandlersOf } from '#server/features/callers/callers.ts'
import { busy } from '#server/features/sessions/access/refusals.ts'
import type { PasskeyCeremonies } from '#server/features/sessions/passkeys/ceremonies.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'

export type PasskeyHandlers = HandlersOf<
  'configuration',
  'createPasskeyOptions' | 'bindPasskey' | 'verifyPasskey'
>

/** The steps of a passkey ceremony. Each is repeated if another request changes the session at the same time. */
export function createPasskeyHandlers({ begin, bind, verify }: PasskeyCeremonies): PasskeyHandlers {
  return {
    createPasskeyOptions: ({ body, caller }) => retryOnConflict(() => begin(caller, body.ceremony), busy),
    bindPasskey: ({ body, caller }) => retryOnConflict(() => bind(caller, body.response), busy),
    verifyPasskey: ({ body, caller }) => retryOnConflict(() => verify(caller, body.response), busy),
  }
}

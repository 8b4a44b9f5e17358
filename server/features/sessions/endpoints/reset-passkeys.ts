import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { PasskeyStore } from '#server/features/sessions/records/passkey-store.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { resetPasskeys } from '#shared/contract/account/person.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

/**
 * Removes a person's passkeys. [Note: The face stays] An attacker who deceives an operator still cannot bring in another
 * face, because the next passkey must be bound by the face that bound the first.
 */
export function createResetPasskeys({
  reset,
}: Pick<PasskeyStore, 'reset'>): Handler<typeof resetPasskeys, AccountCaller> {
  return ({ body: { externalId }, caller: { accountId } }) =>
    retryOnConflict(async () => {
      const removed = await reset({ accountId, externalId })
      return removed === undefined ? undefined : { removed }
    }, busy)
}

function busy(): Problem {
  return new Problem('overloaded', 'The passkeys are being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}

import type { Consequence } from '#shared/contract/console/consequences.ts'
import { Problem } from '#shared/problem.ts'
import type { AccountCaller } from './caller.ts'
import { environmentOf } from './environment.ts'

/**
 * [Note: Step-up by consequence] A sign-in that is found open may do what its person does every day. Whatever weakens a verdict, moves a result
 * or a person elsewhere or frames the pages needs the passkey anew, whichever call does it; the owners are told of it, and the audit log. Test
 * data decides about nobody.
 * @throws {Problem} 403 `passkey_needed`
 */
export function answerFor(caller: AccountCaller, found: readonly Consequence[]): void {
  caller.consequences = found
  if (found.length === 0 || !isLive(caller) || caller.via !== 'operator' || caller.isFresh === true) return
  throw new Problem('passkey_needed', `Show your passkey again for this: ${found.join(', ')}.`)
}

/** Whether what is done is done to live data. */
export function isLive({ account }: AccountCaller): boolean {
  return account === undefined || environmentOf(account) === 'live'
}

/** Who does it, as versions and notices tell it: the name of a person, the id of a key; null for the machine's owner. */
export function authorOf({ via, keyId, operatorName }: AccountCaller): string | null {
  return via === 'command' ? null : (operatorName ?? keyId)
}

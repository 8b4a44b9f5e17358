import type { Audit } from '#server/features/audit/audit.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { deployment } from '#server/platform/store/tables.ts'
import { type RelyingParty, relyingPartyOf } from '#server/platform/web-authn/relying-party.ts'
import { asserted, credentialIdOf, requestOptions } from '#server/platform/web-authn/web-authn.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import type { Ceremonies } from './ceremonies.ts'
import type { ConsoleHandlers, Visitor } from './console-caller.ts'
import type { Operator } from './operator-records.ts'
import type { OperatorStore } from './operator-store.ts'
import type { BegunSignIn, SignIns } from './sign-ins.ts'
import { memberOf, nobody } from './teams.ts'

interface Dependencies {
  readonly store: Store
  readonly operators: OperatorStore
  readonly signIns: SignIns
  readonly ceremonies: Ceremonies
  readonly audit: Pick<Audit, 'note'>
  /** The console's origin. */
  readonly origin: () => string
  readonly now: Clock
}

/** The name that devices show for a passkey. */
export const product = 'Selfsame'

/** Signing in with a passkey. */
export function createGettingIn(services: Dependencies): ConsoleHandlers<'beginSignIn' | 'finishSignIn'> {
  const { ceremonies, origin, audit } = services
  return {
    async beginSignIn() {
      const options = await requestOptions(partyAt(origin()), [])
      return { ceremony: ceremonies.begin('sign-in', options.challenge), options: { ...options } }
    },
    async finishSignIn({ body: { ceremony, response }, caller }) {
      const challenge = await ceremonies.take('sign-in', ceremony)
      const { operator, begun } = await retryOnConflict(
        () => signIn(services, challenge, response, caller.browser.device),
        busy,
      )
      await audit.note(begun.signIn.accountId, 'signIn', operator, {})
      return letIn(services, operator, begun, caller)
    },
  }
}

/** Sets the cookie and returns the token. */
export async function letIn(
  { signIns }: Pick<Dependencies, 'signIns'>,
  operator: Operator,
  { cookie, antiForgery, signIn }: BegunSignIn,
  { browser }: Visitor,
) {
  browser.keepCookie(cookie)
  return { antiForgery, me: await signIns.detailOf(operator, signIn) }
}

/** @throws {Problem} 409 if passkeys do not work at the console's address */
export function partyAt(origin: string): RelyingParty {
  const party = relyingPartyOf(origin)
  if (party !== undefined) return party
  throw new Problem('passkey_unavailable', 'Passkeys work only over https and on localhost: set PUBLIC_URL.')
}

export function busy(): Problem {
  return new Problem(
    'overloaded',
    'The people of the account are being changed by another request. Try again.',
    {
      retryAfterInSeconds: 1,
    },
  )
}

/** Undefined if the operator changed in the meantime. */
async function signIn(services: Dependencies, challenge: string, response: unknown, device: string) {
  const { store, operators: books, signIns } = services
  const { operator, passkeyId, guard } = await shown(services, challenge, response)
  const accountId = await findFirstAccount(books, operator)
  if (accountId === undefined) throw new Problem('forbidden', 'The person is no longer in any account.')
  const begun = signIns.begin({ operatorId: operator.operatorId, accountId, device, passkeyId })
  const written = books.operators.write(deployment, operator.operatorId, operator)
  return (await store.commit([written, begun.write], [guard])) ? { operator, begun } : undefined
}

/**
 * The operator who used one of their passkeys, with the passkey's current counter.
 * @throws {Problem} 401 for an unknown passkey, 400 for an invalid response
 */
export async function shown(
  { operators: books, origin, now }: Pick<Dependencies, 'operators' | 'origin' | 'now'>,
  challenge: string,
  response: unknown,
) {
  const credentialId = credentialIdOf(response)
  const operatorId = await books.holders.get(deployment, credentialId)
  const read = operatorId === undefined ? undefined : await books.operators.read(deployment, operatorId)
  const passkey = read?.value.passkeys.find((one) => one.credentialId === credentialId)
  if (read === undefined || passkey === undefined)
    throw new Problem('unauthenticated', 'This passkey has no access here, or no longer has.')
  const answer = { party: partyAt(origin()), challenge, response, embedOrigins: [] }
  const { counter } = await asserted(answer, passkey)
  const passkeys = read.value.passkeys.map((one) =>
    one === passkey ? { ...one, counter, usedAt: now() } : one,
  )
  return { operator: { ...read.value, passkeys }, passkeyId: credentialId, guard: read.guard }
}

/** The oldest account in which the operator is still a member. */
export async function findFirstAccount(
  books: OperatorStore,
  operator: Operator,
): Promise<string | undefined> {
  for (const accountId of operator.accountIds) {
    const team = (await books.teams.get(deployment, accountId)) ?? nobody
    if (memberOf(team, operator.operatorId) !== undefined) return accountId
  }
  return undefined
}

import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { deployment } from '#server/platform/store/tables.ts'
import { requestOptions } from '#server/platform/web-authn/web-authn.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import type { Ceremonies } from './ceremonies.ts'
import type { ConsoleCaller, ConsoleHandlers } from './console-caller.ts'
import { busy, partyAt, shown } from './getting-in.ts'
import type { Operator, SignIn } from './operator-records.ts'
import type { OperatorStore } from './operator-store.ts'
import type { SignIns } from './sign-ins.ts'
import { memberOf, nobody } from './teams.ts'

interface Dependencies {
  readonly store: Store
  readonly operators: OperatorStore
  readonly accounts: Pick<Accounts, 'find' | 'keys'>
  readonly signIns: SignIns
  readonly ceremonies: Ceremonies
  /** The console's origin. */
  readonly origin: () => string
  readonly now: Clock
}

type Names = 'beginAgain' | 'finishAgain' | 'signOut' | 'getMe' | 'switchAccount' | 'getSignIns' | 'endSignIn'

/** An operator's calls about their own sign-in. */
export function createSignedIn(services: Dependencies): ConsoleHandlers<Names> {
  const { operators: books, signIns } = services
  return {
    beginAgain: ({ caller }) => beginAgain(services, caller),
    finishAgain: ({ body, caller }) => finishAgain(services, caller, body),
    async signOut({ caller: { signIn, browser } }) {
      await books.signIns.remove(signIn.operatorId, signIn.digest)
      browser.keepCookie(undefined)
      return {}
    },
    getMe: async ({ caller }) => signIns.detailOf(await findOperator(books, caller), caller.signIn),
    async switchAccount({ body: { accountId, environment }, caller }) {
      const operator = await findOperator(books, caller)
      const member = memberOf((await books.teams.get(deployment, accountId)) ?? nobody, operator.operatorId)
      if (member === undefined) throw new Problem('forbidden', 'The person is not in this account.')
      if (environment === 'test')
        await makeTestAccount(services, accountId, ['owner', 'developer'].includes(member.role))
      return signIns.detailOf(operator, await signIns.change(caller.signIn, { accountId, environment }))
    },
    async getSignIns({ caller: { signIn } }) {
      const all = await allOf(books.signIns.list(signIn.operatorId))
      const newestFirst = all.sort((a, b) => b.begunAt - a.begunAt)
      return {
        sessions: newestFirst.map(({ signInId, device, begunAt, lastSeenAt }) => ({
          signInId,
          device,
          begun: new Date(begunAt).toISOString(),
          lastSeen: new Date(lastSeenAt).toISOString(),
          isThis: signInId === signIn.signInId,
        })),
      }
    },
    async endSignIn({ query: { signInId }, caller: { signIn } }) {
      const all = await allOf(books.signIns.list(signIn.operatorId))
      const found = all.find((one) => one.signInId === signInId)
      if (found === undefined) throw new Problem('not_found', 'This is not one of your sign-ins.')
      await books.signIns.remove(signIn.operatorId, found.digest)
      return {}
    },
  }
}

async function beginAgain({ ceremonies, operators, origin }: Dependencies, caller: ConsoleCaller) {
  const { passkeys } = await findOperator(operators, caller)
  const options = await requestOptions(partyAt(origin()), passkeys)
  return { ceremony: ceremonies.begin(purposeOf(caller.signIn), options.challenge), options: { ...options } }
}

async function finishAgain(
  services: Dependencies,
  { signIn }: ConsoleCaller,
  { ceremony, response }: { ceremony: string; response: unknown },
) {
  const { store, ceremonies, operators: books, signIns, now } = services
  const challenge = await ceremonies.take(purposeOf(signIn), ceremony)
  const operator = await retryOnConflict(async () => {
    const { operator, guard } = await shown(services, challenge, response)
    if (operator.operatorId !== signIn.operatorId)
      throw new Problem('forbidden', 'This passkey belongs to another person.')
    const written = books.operators.write(deployment, operator.operatorId, operator)
    return (await store.commit([written], [guard])) ? operator : undefined
  }, busy)
  return signIns.detailOf(operator, await signIns.change(signIn, { passkeyShownAt: now() }))
}

/** [Note: Shown here] A passkey shown in one sign-in does not count for another, even for the same operator. */
function purposeOf({ signInId }: SignIn): string {
  return `again/${signInId}`
}

/** @throws {Problem} 401 if the operator was removed in the meantime */
async function findOperator(books: OperatorStore, { signIn }: ConsoleCaller): Promise<Operator> {
  const operator = await books.operators.get(deployment, signIn.operatorId)
  if (operator === undefined) throw new Problem('unauthenticated', 'The sign-in has ended.')
  return operator
}

/**
 * [Note: Test begins with whoever builds] The first operator who switches to test creates the account, with a key without
 * scopes for its webhooks.
 */
async function makeTestAccount({ accounts }: Dependencies, accountId: string, mayMake: boolean) {
  const account = await existingAccount(accounts, accountId)
  if (account.testAccountId !== undefined) return
  if (!mayMake)
    throw new Problem(
      'forbidden',
      'There is no test account yet: an owner or a developer creates it by switching to it.',
    )
  await accounts.keys.create(accountId, 'Webhooks', [], 'test')
}

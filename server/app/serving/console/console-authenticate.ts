import type { Context } from 'koa'
import { type Authenticate, callerIn } from '#server/app/serving/authenticate.ts'
import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import type { Account } from '#server/features/callers/callers.ts'
import {
  type Browser,
  type Console,
  type ConsoleCaller,
  deviceOf,
  type Known,
  type Member,
  type SignIn,
  type Visitor,
} from '#server/features/operators/operators.ts'
import type { Clock } from '#server/platform/store/store.ts'
import {
  antiForgeryHeader,
  backgroundHeader,
  showingHeader,
  showingOf,
  signedInLimits,
} from '#shared/contract/console/console-paths.ts'
import type { OperatorRole, Permission } from '#shared/contract/console/operator-roles.ts'
import { scopesOfRole } from '#shared/contract/console/scopes-of-role.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCookie } from './console-cookie.ts'

interface Dependencies {
  readonly console: Pick<Console, 'origin' | 'signIns'>
  readonly accounts: Pick<Accounts, 'find'>
  readonly cookie: ConsoleCookie
  readonly now: Clock
}

/** What a call of the console asks of who calls it. */
export interface Asking {
  /** Undefined for what anybody may call. */
  readonly permission: Permission | undefined
  /** One of the console's own calls: it is about the live account, also for who is in its test account. */
  readonly isOwn: boolean
  /** Whether it is about an account, and not about who is signed in alone. */
  readonly isOfAccount?: boolean
  /** False for what no person asks for by a deed of theirs: it keeps nobody signed in. */
  readonly isOfPerson?: boolean
}

/**
 * Finds out who calls the console: its own page alone, with cookie and token, in this order.
 * @throws {Problem} 403 for any other page, 401 for who is not signed in, 403 for a page that shows something else by now, without the right,
 *   or without a passkey shown a moment ago
 */
export function createConsoleAuthenticate(services: Dependencies, asking: Asking): Authenticate {
  const { console, cookie } = services
  return async (ctx) => {
    refuseOthers(ctx, console.origin())
    const browser: Browser = {
      device: deviceOf(ctx.get('User-Agent')),
      keepCookie: (value) => cookie.write(ctx, value),
    }
    const { permission, isOwn, isOfAccount = !isOwn, isOfPerson = true } = asking
    if (permission === undefined) return callerIn<Visitor>(ctx, { kind: 'anonymous', browser })
    const isUse = isOfPerson && ctx.get(backgroundHeader) === ''
    const known = await console.signIns.recognise(cookie.read(ctx), ctx.get(antiForgeryHeader), isUse)
    if (known === undefined) throw new Problem('unauthenticated', 'Sign in to the console.')
    if (isOfAccount) refuseMoved(ctx.get(showingHeader), known.signIn)
    const isFresh = wasShownOfLate(known.signIn, services.now())
    refuseWithoutRight(known.member, permission, isFresh)
    const account = isOwn ? known.account : await accountFor(services, known)
    return callerIn<ConsoleCaller>(ctx, { ...callerOf(known, account, browser), isFresh, known })
  }
}

function callerOf({ member, signIn }: Known, account: Account, browser: Browser) {
  const scopes = scopesOfRole[member.role]
  const { operatorId, name: operatorName } = member
  const { accountId } = account
  const base = { kind: 'account', via: 'operator', keyId: operatorId } as const
  return { ...base, accountId, account, scopes, operatorName, member, signIn, browser }
}

/**
 * [Note: The console's own page] A browser says where a call comes from. Of what only reads it does not always name the origin; it always
 * says whether that is the same.
 */
function refuseOthers(ctx: Context, own: string): void {
  const origin = ctx.get('Origin')
  const isRead = ctx.method === 'GET' && origin === ''
  if (ctx.get('Sec-Fetch-Site') === 'same-origin' && (isRead || origin === own)) return
  throw new Problem('forbidden', 'Only the page of the console may call this.')
}

/** [Note: One sign-in, many tabs] What another tab has switched: a name that is erased in Test may stand in Live too. */
function refuseMoved(showing: string, signIn: SignIn): void {
  if (showing === '' || showing === showingOf(signIn)) return
  throw new Problem(
    'console_moved',
    'Another tab has switched the console to other data. Check what is shown and try again.',
  )
}

function wasShownOfLate({ passkeyShownAt }: SignIn, now: number): boolean {
  return now - passkeyShownAt < signedInLimits.freshSeconds * 1000
}

function refuseWithoutRight({ role }: Member, { roles, isDangerous }: Permission, isFresh: boolean): void {
  if (!roles.includes(role))
    throw new Problem('forbidden', `This is for ${inWords(roles)}; your role is ${role}.`)
  if (isDangerous && !isFresh) throw new Problem('passkey_needed', 'Show your passkey again for this.')
}

function inWords(roles: readonly OperatorRole[]): string {
  return roles.length === 0 ? 'API keys' : roles.join(' and ')
}

async function accountFor({ accounts }: Dependencies, { account, signIn }: Known): Promise<Account> {
  if (signIn.environment === 'live') return account
  return existingAccount(accounts, account.testAccountId ?? '')
}

import type { Context } from 'koa'
import { type Authenticate, callerIn } from '#server/app/serving/authenticate.ts'
import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import type { Account } from '#server/features/callers/callers.ts'
import {
  type Browser,
  type Console,
  type ConsoleCaller,
  deviceOf,
  type Member,
  type SignedInOperator,
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
import { scopesOfRole } from '#shared/contract/console/scopes-of-role.ts'
import type { OperatorRole, Permission } from '#shared/operator-roles.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCookie } from './console-cookie.ts'

interface Dependencies {
  readonly console: Pick<Console, 'origin' | 'signIns'>
  readonly accounts: Pick<Accounts, 'find'>
  readonly cookie: ConsoleCookie
  readonly now: Clock
}

/** The requirements that a console call places on its caller. */
export interface CallerRequirements {
  /** Undefined if anyone may call it. */
  readonly permission: Permission | undefined
  /** True for the console's own calls, which concern the live account even if the operator is in its test account. */
  readonly isOwn: boolean
  /** True if the call concerns an account instead of just the operator. */
  readonly isOfAccount?: boolean
  /** False for calls that are not triggered by a person's action. They do not extend a sign-in. */
  readonly isOfPerson?: boolean
}

/**
 * Authenticates a console call, which only the console's own page can make, by cookie and then by token.
 * @throws {Problem} 403 for any other page, 401 without a sign-in, 403 if the page now shows another account, the
 * permission is missing, or no passkey was shown recently
 */
export function createConsoleAuthenticate(services: Dependencies, asking: CallerRequirements): Authenticate {
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

function callerOf({ member, signIn }: SignedInOperator, account: Account, browser: Browser) {
  const scopes = scopesOfRole[member.role]
  const { operatorId, name: operatorName } = member
  const { accountId } = account
  const base = { kind: 'account', via: 'operator', keyId: operatorId } as const
  return { ...base, accountId, account, scopes, operatorName, member, signIn, browser }
}

/**
 * [Note: The console's own page] Browsers report where a call comes from. They do not always send the origin with reads, but
 * always report if it is the same.
 */
function refuseOthers(ctx: Context, own: string): void {
  const origin = ctx.get('Origin')
  const isRead = ctx.method === 'GET' && origin === ''
  if (ctx.get('Sec-Fetch-Site') === 'same-origin' && (isRead || origin === own)) return
  throw new Problem('forbidden', 'Only the console page may call this.')
}

/**
 * [Note: One sign-in, many tabs] Detects that another tab has switched the account. A name that is being erased in Test may
 * also exist in Live.
 */
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
    throw new Problem('forbidden', `This requires the role ${inWords(roles)}; your role is ${role}.`)
  if (isDangerous && !isFresh) throw new Problem('passkey_needed', 'Confirm this with your passkey.')
}

function inWords(roles: readonly OperatorRole[]): string {
  return roles.length === 0 ? 'API keys' : roles.join(' and ')
}

async function accountFor(
  { accounts }: Dependencies,
  { account, signIn }: SignedInOperator,
): Promise<Account> {
  if (signIn.environment === 'live') return account
  return existingAccount(accounts, account.testAccountId ?? '')
}

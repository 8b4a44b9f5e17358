import { randomUUID } from 'node:crypto'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { Account } from '#server/features/callers/callers.ts'
import { sameDigest } from '#server/platform/crypto/constant-time.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { deployment } from '#server/platform/store/tables.ts'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { firstAccountName } from '#shared/contract/account/display-name.ts'
import { signedInLimits } from '#shared/contract/console/console-paths.ts'
import type { SignedIn } from '#shared/contract/console/sign-in.ts'
import type { Region } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'
import type { Member, Operator, SignIn } from './operator-records.ts'
import { newSecret, type OperatorStore, secretDigest } from './operator-store.ts'
import { memberOf, nobody } from './teams.ts'
import { createUnwrittenUses } from './unwritten-uses.ts'

const noticedEveryMilliseconds = 60_000

/** A new sign-in: the values for the browser, and the writes. */
export interface BegunSignIn {
  readonly signIn: SignIn
  readonly cookie: string
  readonly antiForgery: string
  readonly write: Write
}

/** The operator that a cookie identifies. */
export interface SignedInOperator {
  readonly operator: Operator
  readonly member: Member
  readonly signIn: SignIn
  /** The live account. */
  readonly account: Account
}

export interface SignIns {
  begin(who: Pick<SignIn, 'operatorId' | 'accountId' | 'device' | 'passkeyId'>): BegunSignIn
  /** Undefined without a valid sign-in. Records the use, to the minute, if `isUse` is true. */
  recognise(cookie: string, antiForgery: string, isUse: boolean): Promise<SignedInOperator | undefined>
  /** True if a recognised operator is still signed in with the same role. */
  isStill(known: SignedInOperator): Promise<boolean>
  /** The sign-in's details for the page. */
  detailOf(operator: Operator, signIn: SignIn): Promise<SignedIn>
  /** Changes an existing sign-in. @throws {Problem} 401 if it has ended in the meantime */
  change(signIn: SignIn, change: Partial<SignIn>): Promise<SignIn>
}

interface Dependencies {
  readonly store: Store
  readonly operators: OperatorStore
  readonly accounts: Pick<Accounts, 'find'>
  readonly region: Region
  /** Attestation roots for passkey devices. */
  readonly passkeyRoots?: TrustedRoots
  readonly now: Clock
}

export function createSignIns(services: Dependencies): SignIns {
  const { store, operators: books, now } = services
  const unwritten = createUnwrittenUses(now)
  const seenAt = ({ digest, lastSeenAt }: SignIn) => Math.max(lastSeenAt, unwritten.lastOf(digest))
  const isOver = (signIn: SignIn) => {
    const { mostSeconds, idleSeconds } = signedInLimits
    return now() - signIn.begunAt >= mostSeconds * 1000 || now() - seenAt(signIn) >= idleSeconds * 1000
  }

  /**
   * [Note: An end is an end] Writes only over the record that was read, so that recording a use never revives an ended
   * sign-in. Undefined if it changed in the meantime.
   */
  async function replace(signIn: SignIn, change: Partial<SignIn>): Promise<SignIn | undefined> {
    const read = await books.signIns.read(signIn.operatorId, signIn.digest)
    if (read === undefined) throw ended()
    const changed = { ...read.value, ...change }
    return (await store.commit([books.writeSignIn(changed)], [read.guard])) ? changed : undefined
  }

  async function noteOperator({ operatorId }: Operator): Promise<void> {
    const read = await books.operators.read(deployment, operatorId)
    if (read === undefined) return
    const seen = { ...read.value, lastSeen: new Date(now()).toISOString() }
    await store.commit([books.operators.write(deployment, operatorId, seen)], [read.guard])
  }

  /** [Note: A note fails no request] With a full disk, operators can still read. If this finds that the sign-in ended, that counts. */
  async function noteUse(operator: Operator, signIn: SignIn): Promise<void> {
    if (now() - seenAt(signIn) < noticedEveryMilliseconds) return
    try {
      if (await replace(signIn, { lastSeenAt: now() })) unwritten.forget(signIn.digest)
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthenticated') throw error
      return unwritten.note(signIn.digest)
    }
    await noteOperator(operator).catch(() => undefined)
  }

  return {
    begin: (who) => newSignIn(services, who),
    async recognise(cookie, antiForgery, isUse) {
      const [operatorId = '', secret = ''] = cookie.split('.')
      const signIn = await books.signIns.get(operatorId, secretDigest(secret))
      const isWhole = sameDigest(signIn?.tokenDigest ?? '', secretDigest(antiForgery))
      if (signIn === undefined || !isWhole || isOver(signIn)) return undefined
      const found = await whoIs(services, signIn)
      if (found !== undefined && isUse) await noteUse(found.operator, signIn)
      return found
    },
    async isStill({ member, signIn: { operatorId, digest, accountId, environment } }) {
      const signIn = await books.signIns.get(operatorId, digest)
      if (signIn === undefined || isOver(signIn)) return false
      const isThere = signIn.accountId === accountId && signIn.environment === environment
      return isThere && (await whoIs(services, signIn))?.member.role === member.role
    },
    detailOf: (operator, signIn) => describeSignIn(services, operator, signIn),
    change: (signIn, change) => retryOnConflict(() => replace(signIn, change), busy),
  }
}

async function whoIs(
  { operators, accounts }: Dependencies,
  signIn: SignIn,
): Promise<SignedInOperator | undefined> {
  const operator = await operators.operators.get(deployment, signIn.operatorId)
  const team = (await operators.teams.get(deployment, signIn.accountId)) ?? nobody
  const member = memberOf(team, signIn.operatorId)
  const account = await accounts.find(signIn.accountId)
  if (operator === undefined || member === undefined || account === undefined) return undefined
  return { operator, member, signIn, account }
}

function newSignIn({ operators, now }: Dependencies, who: Parameters<SignIns['begin']>[0]) {
  const [secret, antiForgery] = [newSecret(), newSecret()]
  const signIn: SignIn = {
    ...who,
    signInId: randomUUID(),
    digest: secretDigest(secret),
    tokenDigest: secretDigest(antiForgery),
    environment: 'live',
    begunAt: now(),
    lastSeenAt: now(),
    passkeyShownAt: now(),
  }
  return { signIn, cookie: `${who.operatorId}.${secret}`, antiForgery, write: operators.writeSignIn(signIn) }
}

async function describeSignIn(
  { operators, accounts, region, passkeyRoots }: Dependencies,
  operator: Operator,
  signIn: SignIn,
): Promise<SignedIn> {
  const { operatorId, name, accountIds } = operator
  const found = []
  for (const accountId of accountIds) {
    const team = (await operators.teams.get(deployment, accountId)) ?? nobody
    const member = memberOf(team, operatorId)
    const account = await accounts.find(accountId)
    if (member === undefined || account === undefined) continue
    const hasDefaultName = account.name === firstAccountName
    found.push({ accountId, name: account.name, hasDefaultName, role: member.role })
  }
  const { accountId, environment, passkeyShownAt, begunAt } = signIn
  const here = found.find((one) => one.accountId === accountId)
  if (here === undefined) throw new Problem('forbidden', 'The person is no longer in this account.')
  const { freshSeconds, mostSeconds } = signedInLimits
  return {
    operatorId,
    name,
    accounts: found,
    accountId,
    environment,
    region,
    canReachHigh: passkeyRoots !== undefined,
    role: here.role,
    shownBy: operator.identity !== undefined && signIn.passkeyId === undefined ? 'provider' : 'passkey',
    passkeyShownUntil: timeAfter(passkeyShownAt, freshSeconds),
    endsAt: timeAfter(begunAt, mostSeconds),
  }
}

function ended(): Problem {
  return new Problem('unauthenticated', 'The sign-in has ended.')
}

function busy(): Problem {
  return new Problem('overloaded', 'The sign-in is being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}

function timeAfter(milliseconds: number, seconds: number): string {
  return new Date(milliseconds + seconds * 1000).toISOString()
}

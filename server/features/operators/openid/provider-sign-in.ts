import * as v from 'valibot'
import type { Audit } from '#server/features/audit/audit.ts'
import { acceptInvitation } from '#server/features/operators/acceptance.ts'
import type { Ceremonies } from '#server/features/operators/ceremonies.ts'
import type { ConsoleCaller, ConsoleHandlers, Visitor } from '#server/features/operators/console-caller.ts'
import { busy, findFirstAccount, letIn } from '#server/features/operators/getting-in.ts'
import { isInForce } from '#server/features/operators/invitations.ts'
import { type Invitation, identityKey, type Operator } from '#server/features/operators/operator-records.ts'
import { type OperatorStore, secretDigest } from '#server/features/operators/operator-store.ts'
import type { SignIns } from '#server/features/operators/sign-ins.ts'
import { nobody } from '#server/features/operators/teams.ts'
import { isIssuedAhead } from '#server/platform/crypto/issued-at.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { deployment } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { returnPath } from '#shared/contract/console/openid.ts'
import { operatorName } from '#shared/contract/console/sign-in.ts'
import { Problem } from '#shared/problem.ts'
import type { Provider, ProviderPerson, VisitState } from './provider.ts'

/** The tolerated difference between the provider's clock and ours. */
const skewSeconds = 60

interface Dependencies {
  readonly store: Store
  readonly operators: OperatorStore
  readonly signIns: SignIns
  readonly ceremonies: Ceremonies
  readonly audit: Pick<Audit, 'note'>
  /** Undefined if the operator has none. */
  readonly provider: Provider | undefined
  /** The console's origin. */
  readonly origin: () => string
  readonly now: Clock
}

type Names = 'getProvider' | 'beginProvider' | 'finishProvider' | 'beginProviderAgain' | 'finishProviderAgain'

/**
 * Sign-in through the operator's own provider. [Note: The provider says who, we say what] The provider identifies a person.
 * Access and role are defined by the teams, as with passkeys.
 */
export function createProviderSignIn(services: Dependencies): ConsoleHandlers<Names> {
  return {
    getProvider: async () => ({ name: services.provider?.name ?? null }),
    beginProvider: () => begin(services, 'openid', false),
    async finishProvider({ body, caller }) {
      const { identified } = await finish(services, 'openid', body)
      const digest = body.code === undefined ? undefined : secretDigest(body.code)
      return getIn(services, identified, { digest, name: body.name }, caller)
    },
    beginProviderAgain: ({ caller }) => begin(services, purposeOf(caller), true),
    async finishProviderAgain({ body, caller }) {
      const { identified, begunAt } = await finish(services, purposeOf(caller), body)
      return showAgain(services, identified, begunAt, caller)
    },
  }
}

interface ProviderVisit extends VisitState {
  /** Milliseconds since 1970. */
  readonly begunAt: number
}

async function begin(services: Dependencies, purpose: string, isFresh: boolean) {
  const { ceremonies, now, origin } = services
  const begunAt = now()
  const { url, held } = await existing(services).begin({ returnTo: origin() + returnPath, isFresh })
  const kept: ProviderVisit = { ...held, begunAt }
  return { ceremony: ceremonies.begin(purpose, JSON.stringify(kept)), url }
}

async function finish(
  services: Dependencies,
  purpose: string,
  { ceremony, returned }: { ceremony: string; returned: string },
) {
  const provider = existing(services)
  const kept = JSON.parse(await services.ceremonies.take(purpose, ceremony)) as ProviderVisit
  const address = new URL(services.origin() + returnPath)
  address.search = returned
  return { identified: await provider.identify(address, kept), begunAt: kept.begunAt }
}

function existing({ provider }: Dependencies): Provider {
  if (provider === undefined) throw new Problem('not_found', 'No provider is set: people sign in by passkey.')
  return provider
}

function purposeOf({ signIn }: ConsoleCaller): string {
  return `openid-again/${signIn.signInId}`
}

/** Signs in a known person. An unknown person accepts the invitation for their code, or the one for their address. */
async function getIn(
  services: Dependencies,
  identified: ProviderPerson,
  { digest, name }: { digest: string | undefined; name: string | undefined },
  caller: Visitor,
) {
  const { operators: books, audit } = services
  const { device } = caller.browser
  const { identity } = identified
  const key = identityKey(identity)
  const isKnown = (await books.identities.get(deployment, key)) !== undefined
  if (isKnown && digest === undefined) {
    const { operator, begun } = await retryOnConflict(() => signIn(services, key, device), busy)
    await audit.note(begun.signIn.accountId, 'signIn', operator, {})
    return letIn(services, operator, begun, caller)
  }
  const invitation = digest ?? (await invitationFor(books, identified.email))?.digest
  if (invitation === undefined)
    throw new Problem(
      'forbidden',
      'No person here uses this account at the provider: ask an owner to invite you.',
    )
  const means = {
    held: { passkeys: [], identity },
    table: books.identities,
    id: key,
    taken: () => new Problem('conflict', 'Another person here already uses this account at the provider.'),
  }
  const called = name ?? plainNameOf(identified)
  const accepted = await acceptInvitation(services, { digest: invitation, name: called }, means, device)
  return letIn(services, accepted.operator, accepted.begun, caller)
}

/** The valid invitation for a verified address. */
async function invitationFor(books: OperatorStore, email: string | null): Promise<Invitation | undefined> {
  for (const invitation of email === null ? [] : await books.invitationsFor(email)) {
    const team = (await books.teams.get(deployment, invitation.accountId)) ?? nobody
    if (isInForce(team, invitation)) return invitation
  }
  return undefined
}

/** The person's name at the provider, if it is acceptable here. */
function plainNameOf({ name, email }: ProviderPerson): string | undefined {
  const read = [name, email].map((one) => v.safeParse(operatorName, one))
  return read.find(({ success }) => success)?.output as string | undefined
}

/** Undefined if the operator changed in the meantime. */
async function signIn({ store, operators: books, signIns, now }: Dependencies, key: string, device: string) {
  const operatorId = await books.identities.get(deployment, key)
  const read = operatorId === undefined ? undefined : await books.operators.read(deployment, operatorId)
  const accountId = read && (await findFirstAccount(books, read.value))
  if (read === undefined || accountId === undefined)
    throw new Problem('forbidden', 'The person is no longer in any account.')
  const operator = seenAt(read.value, now())
  const begun = signIns.begin({ operatorId: operator.operatorId, accountId, device })
  const written = books.operators.write(deployment, operator.operatorId, operator)
  return (await store.commit([written, begun.write], [read.guard])) ? { operator, begun } : undefined
}

/**
 * [Note: No lock-out misses a sign-in] Ending an operator's sign-ins guards the record that was read first, and each new
 * sign-in changes that record, so whichever is written second is retried. `now` is milliseconds since 1970.
 */
function seenAt(operator: Operator, now: number): Operator {
  const before = operator.lastSeen === null ? 0 : Date.parse(operator.lastSeen)
  return { ...operator, lastSeen: new Date(Math.max(now, before + 1)).toISOString() }
}

/** [Note: A fresh sign-in is dated] A provider that does not report the time of authentication proves nothing. */
async function showAgain(
  { operators: books, signIns, now }: Dependencies,
  { identity, authenticatedAt }: ProviderPerson,
  begunAt: number,
  { signIn }: ConsoleCaller,
) {
  const operator = await books.operators.get(deployment, signIn.operatorId)
  if (operator === undefined) throw new Problem('unauthenticated', 'The sign-in has ended.')
  if (operator.identity === undefined || identityKey(operator.identity) !== identityKey(identity))
    throw new Problem('forbidden', 'This account at the provider belongs to another person.')
  const isDated = !isIssuedAhead(authenticatedAt, now())
  if (!isDated || authenticatedAt! < begunAt / 1000 - skewSeconds)
    throw new Problem('forbidden', 'The provider did not authenticate the person again.')
  return signIns.detailOf(operator, await signIns.change(signIn, { passkeyShownAt: now() }))
}

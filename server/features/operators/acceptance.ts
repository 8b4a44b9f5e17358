import { randomUUID } from 'node:crypto'
import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import type { Clock, Guard, Store, Write } from '#server/platform/store/store.ts'
import { deployment, type GuardedRecord, type Table } from '#server/platform/store/tables.ts'
import { refused, registered, signInCreationOptions } from '#server/platform/web-authn/web-authn.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import type { Ceremonies } from './ceremonies.ts'
import type { ConsoleHandlers } from './console-caller.ts'
import { busy, letIn, partyAt, product } from './getting-in.ts'
import { isInForce } from './invitations.ts'
import type { Invitation, Operator, Team } from './operator-records.ts'
import { type OperatorStore, secretDigest } from './operator-store.ts'
import type { SignIns } from './sign-ins.ts'
import { memberNamed, memberOf, nobody, withMember, withRole } from './teams.ts'

interface Dependencies {
  readonly store: Store
  readonly operators: OperatorStore
  readonly accounts: Pick<Accounts, 'find'>
  readonly signIns: SignIns
  readonly ceremonies: Ceremonies
  readonly audit: Pick<Audit, 'note'>
  /** The console's origin. */
  readonly origin: () => string
  readonly now: Clock
}

type Names = 'beginInvitation' | 'finishInvitation' | 'joinAccount'

/** Accepts invitations: with a new passkey, or as an operator who is already signed in. */
export function createAcceptance(services: Dependencies): ConsoleHandlers<Names> {
  const { accounts, audit, ceremonies, operators: books, origin, signIns } = services
  return {
    async beginInvitation({ body }) {
      const { value: invitation } = await openInvitation(services, secretDigest(body.code))
      const name = nameFor(invitation, body.name)
      const team = (await books.teams.get(deployment, invitation.accountId)) ?? nobody
      refuseWithdrawn(team, invitation)
      if (invitation.replaces === null && memberNamed(team, name) !== undefined) throw nameTaken()
      const account = await existingAccount(accounts, invitation.accountId)
      const options = await signInCreationOptions(partyAt(origin()), product, name)
      const ceremony = ceremonies.begin(purposeOf(invitation), options.challenge)
      return { ceremony, options: { ...options }, name, role: invitation.role, accountName: account.name }
    },
    async finishInvitation({ body, caller }) {
      const { value: invitation } = await openInvitation(services, secretDigest(body.code))
      nameFor(invitation, body.name)
      const challenge = await ceremonies.take(purposeOf(invitation), body.ceremony)
      const answer = { party: partyAt(origin()), challenge, response: body.response, embedOrigins: [] }
      const credential = await registered(answer)
      const { device } = caller.browser
      const passkey = { ...credential, name: device, madeAt: services.now(), usedAt: null }
      const means = {
        held: { passkeys: [passkey] },
        table: books.holders,
        id: credential.credentialId,
        passkeyId: credential.credentialId,
        taken: refused,
      }
      const { operator, begun } = await acceptInvitation(
        services,
        { digest: invitation.digest, name: body.name },
        means,
        device,
      )
      return letIn(services, operator, begun, caller)
    },
    joinAccount: async ({ body, caller: { member, signIn } }) => {
      const joined = await retryOnConflict(() => join(services, body.code, member.operatorId), busy)
      const { accountId, role } = joined
      await audit.note(accountId, 'takeInvitation', joined.operator, { operatorId: member.operatorId, role })
      return signIns.detailOf(
        joined.operator,
        await signIns.change(signIn, { accountId, environment: 'live' }),
      )
    },
  }
}

/** @throws {Problem} 404 for an unknown invitation, 410 for one that is no longer valid */
async function openInvitation(
  { operators, now }: Pick<Dependencies, 'operators' | 'now'>,
  digest: string,
): Promise<GuardedRecord<Invitation>> {
  const read = await operators.readInvitation(digest)
  if (read === undefined) throw new Problem('not_found', 'The invitation does not exist.')
  if (read.value.isUsed) throw new Problem('link_already_used', 'The invitation was used.')
  if (read.value.expiresAt <= now()) throw new Problem('link_expired', 'The invitation has expired.')
  return read
}

/** @throws {Problem} 410 if the inviter is no longer allowed to invite */
function refuseWithdrawn(team: Team, invitation: Invitation): void {
  if (!isInForce(team, invitation)) throw new Problem('link_expired', 'The invitation is no longer valid.')
}

/** @throws {Problem} 400 if neither contains a name */
function nameFor({ name }: Invitation, given: string | undefined): string {
  const found = name ?? given
  if (found === undefined)
    throw Problem.at('#/name', 'Is required, because the invitation does not include a name.')
  return found
}

function purposeOf({ digest }: Invitation): string {
  return `invitation/${digest}`
}

/** The records that one commit derives from an invitation. */
interface Acceptance {
  readonly operator: Operator
  readonly team: Team
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

/** The credential with which an operator signs in from now on. */
interface Means {
  readonly held: Pick<Operator, 'passkeys' | 'identity'>
  /** The table that records its owner. */
  readonly table: Table<string>
  readonly id: string
  readonly passkeyId?: string
  /** The problem to report if another operator already has it. */
  readonly taken: () => Problem
}

interface AcceptanceRequest {
  readonly digest: string
  readonly name: string | undefined
}

type AcceptanceParts = Omit<Dependencies, 'accounts' | 'ceremonies'>

/**
 * Accepts an invitation with a credential. @throws {Problem} if the invitation is no longer valid, or the credential
 * belongs to another operator
 */
export async function acceptInvitation(
  services: AcceptanceParts,
  given: AcceptanceRequest,
  means: Means,
  device: string,
) {
  const accepted = await retryOnConflict(() => accept(services, given, means, device), busy)
  const { operator, invitation } = accepted
  const { operatorId } = operator
  await services.audit.note(invitation.accountId, 'takeInvitation', operator, {
    operatorId,
    role: invitation.role,
  })
  return accepted
}

/** Undefined if a record changed in the meantime. */
async function accept(
  services: AcceptanceParts,
  { digest, name: given }: AcceptanceRequest,
  means: Means,
  device: string,
) {
  const { operators: books, signIns } = services
  const { held, table, id, passkeyId, taken } = means
  const read = await openInvitation(services, digest)
  const invitation = read.value
  const team = await readTeam(books, invitation.accountId)
  refuseWithdrawn(team.value, invitation)
  if ((await table.get(deployment, id)) !== undefined) throw taken()
  const made = await (invitation.replaces === null
    ? asNew(services, invitation, nameFor(invitation, given), held, team.value)
    : asReplaced(services, invitation, invitation.replaces, held, team.value))
  const { operatorId } = made.operator
  const { accountId } = invitation
  const begun = signIns.begin({ operatorId, accountId, device, ...(passkeyId && { passkeyId }) })
  const writes = [...made.writes, table.write(deployment, id, operatorId), begun.write]
  const guards = [...made.guards, table.absent(deployment, id)]
  const isDone = await commit(services, read, team.guard, { ...made, writes, guards })
  return isDone ? { operator: made.operator, begun, invitation } : undefined
}

async function asNew(
  { operators: books, origin, now }: AcceptanceParts,
  { accountId, role }: Invitation,
  name: string,
  held: Means['held'],
  team: Team,
): Promise<Acceptance> {
  const operatorId = randomUUID()
  const relyingParty = hostOf(origin())
  const operator = { operatorId, name, ...held, relyingParty, accountIds: [accountId], lastSeen: null }
  const joined = new Date(now()).toISOString()
  return {
    operator,
    team: withMember(team, { operatorId, name, role, joined }),
    writes: [],
    guards: [books.operators.absent(deployment, operatorId)],
  }
}

/** [Note: A lost passkey] The new credential replaces all others, and signs out everyone who uses the old ones. */
async function asReplaced(
  { operators: books, origin }: AcceptanceParts,
  { role }: Invitation,
  operatorId: string,
  held: Means['held'],
  team: Team,
): Promise<Acceptance> {
  const read = await books.operators.read(deployment, operatorId)
  if (read === undefined || memberOf(team, operatorId) === undefined)
    throw new Problem('link_expired', 'The person has since left the account.')
  const { identity: _former, ...kept } = read.value
  return {
    operator: { ...kept, ...held, relyingParty: hostOf(origin()) },
    team: withRole(team, operatorId, role),
    writes: [...books.forgetMeans(read.value), ...(await books.cutOff(operatorId))],
    guards: [read.guard],
  }
}

/** Undefined if a record changed in the meantime. */
async function join(services: Dependencies, code: string, operatorId: string) {
  const { operators: books, now } = services
  const invitation = await openInvitation(services, secretDigest(code))
  const { accountId, role, replaces } = invitation.value
  if (replaces !== null) throw new Problem('conflict', 'The invitation is for a new passkey: sign out first.')
  const read = await books.operators.read(deployment, operatorId)
  if (read === undefined) throw new Problem('unauthenticated', 'The sign-in has ended.')
  const team = await readTeam(books, accountId)
  refuseWithdrawn(team.value, invitation.value)
  const { name, accountIds } = read.value
  const joined = new Date(now()).toISOString()
  const operator = { ...read.value, accountIds: [...new Set([...accountIds, accountId])] }
  const isDone = await commit(services, invitation, team.guard, {
    operator,
    team: withMember(team.value, { operatorId, name, role, joined }),
    writes: [],
    guards: [read.guard],
  })
  return isDone ? { operator, accountId, role } : undefined
}

async function readTeam(books: OperatorStore, accountId: string): Promise<GuardedRecord<Team>> {
  const read = await books.teams.read(deployment, accountId)
  return read ?? { value: nobody, guard: books.teams.absent(deployment, accountId) }
}

/** Writes the operator, the team and the used invitation together, or nothing. */
async function commit(
  { store, operators: books }: Pick<Dependencies, 'store' | 'operators'>,
  { value: invitation, guard }: GuardedRecord<Invitation>,
  teamGuard: Guard,
  { operator, team, writes, guards }: Acceptance,
): Promise<boolean> {
  return store.commit(
    [
      ...writes,
      books.operators.write(deployment, operator.operatorId, operator),
      books.teams.write(deployment, invitation.accountId, team),
      books.writeInvitation({ ...invitation, isUsed: true }),
    ],
    [...guards, guard, teamGuard],
  )
}

/** The host that the console's passkeys are bound to. Sign-ins through a provider do not need one. */
function hostOf(origin: string): string {
  return new URL(origin).hostname
}

function nameTaken(): Problem {
  return new Problem('conflict', 'Another person in the account has this name, or one that looks like it.')
}

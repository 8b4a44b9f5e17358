import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { deployment } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { invitationLimits } from '#shared/contract/console/console-paths.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCaller, ConsoleHandlers } from './console-caller.ts'
import { busy } from './getting-in.ts'
import { type Invitations, invitationAddress, isInForce } from './invitations.ts'
import type { Invitation, Team } from './operator-records.ts'
import type { OperatorStore } from './operator-store.ts'
import { memberOf, nobody, withoutMember, withRole } from './teams.ts'

interface Dependencies {
  readonly store: Store
  readonly operators: OperatorStore
  readonly invitations: Invitations
  /** The console's origin. */
  readonly origin: () => string
}

type Names = 'getPeople' | 'invitePerson' | 'withdrawInvitation' | 'changeRole' | 'removePerson'

/** An account's members and invitations. */
export function createPeople(services: Dependencies): ConsoleHandlers<Names> {
  const { store, operators: books, invitations, origin } = services
  return {
    async getPeople({ caller }) {
      const invited = caller.member.role === 'owner' ? await openInvitations(books, caller) : []
      return { people: await listPeople(books, caller), invitations: invited.map(invitationDetail) }
    },
    async invitePerson({ body: { name, role, email = null }, caller: { accountId, signIn } }) {
      const lifeInSeconds = invitationLimits.madeSeconds
      const invitedBy = signIn.operatorId
      const asked = { accountId, name, role, email, lifeInSeconds, mayReplace: false, invitedBy }
      const { invitation, code } = await invitations.make(asked)
      return { invitation: invitationDetail(invitation), url: invitationAddress(origin(), code) }
    },
    async withdrawInvitation({ query: { invitationId }, caller: { accountId } }) {
      const open = await books.invitationsOf(accountId)
      const found = open.find((one) => one.invitationId === invitationId)
      if (found === undefined) throw new Problem('not_found', 'The invitation does not exist.')
      await store.commit([books.removeInvitation(found)], [])
      return {}
    },
    changeRole: ({ body: { operatorId, role }, caller }) =>
      changeTeam(services, caller, async (team) => ({ team: withRole(team, operatorId, role) })),
    removePerson: ({ query: { operatorId }, caller }) =>
      changeTeam(services, caller, async (team) => ({
        team: withoutMember(team, operatorId),
        ...(await leave(books, caller.accountId, operatorId)),
      })),
  }
}

/** Valid invitations, except from inviters who are no longer owners. */
async function openInvitations(books: OperatorStore, { accountId }: ConsoleCaller): Promise<Invitation[]> {
  const team = (await books.teams.get(deployment, accountId)) ?? nobody
  return (await books.invitationsOf(accountId)).filter((one) => isInForce(team, one))
}

async function listPeople(books: OperatorStore, { accountId, signIn }: ConsoleCaller) {
  const { members } = (await books.teams.get(deployment, accountId)) ?? nobody
  const found = members.map(async ({ operatorId, name, role, joined }) => {
    const operator = await books.operators.get(deployment, operatorId)
    const lastSeen = operator?.lastSeen ?? null
    return { operatorId, name, role, joined, lastSeen, isYou: operatorId === signIn.operatorId }
  })
  return (await Promise.all(found)).sort((a, b) => a.name.localeCompare(b.name))
}

function invitationDetail({ invitationId, name, role, email = null, expiresAt }: Invitation) {
  return { invitationId, name, role, email, expiresAt: new Date(expiresAt).toISOString() }
}

interface Change {
  readonly team: Team
  readonly writes?: readonly Write[]
  readonly guards?: readonly Guard[]
}

async function changeTeam(
  { store, operators: books }: Dependencies,
  { accountId, signIn }: ConsoleCaller,
  change: (team: Team) => Promise<Change>,
) {
  return retryOnConflict(async () => {
    const read = await books.teams.read(deployment, accountId)
    const before = read?.value ?? nobody
    // [Note: One after the other] If two owners remove each other's role at once, the second one fails.
    if (memberOf(before, signIn.operatorId)?.role !== 'owner')
      throw new Problem('forbidden', 'You are no longer an owner of the account.')
    const { team, writes = [], guards = [] } = await change(before)
    const guard = read?.guard ?? books.teams.absent(deployment, accountId)
    const written = books.teams.write(deployment, accountId, team)
    return (await store.commit([written, ...writes], [guard, ...guards])) ? {} : undefined
  }, busy)
}

/** Ends a leaving member's sign-ins, and deletes the operator if they belong to no other account. */
async function leave(
  books: OperatorStore,
  accountId: string,
  operatorId: string,
): Promise<Omit<Change, 'team'>> {
  const ended = await books.endSignIns(operatorId)
  const read = await books.operators.read(deployment, operatorId)
  if (read === undefined) return { writes: ended }
  const guards = [read.guard]
  const accountIds = read.value.accountIds.filter((one) => one !== accountId)
  if (accountIds.length > 0) {
    const stays = books.operators.write(deployment, operatorId, { ...read.value, accountIds })
    return { writes: [...ended, stays], guards }
  }
  return {
    writes: [
      ...ended,
      ...books.forgetMeans(read.value),
      books.operators.write(deployment, operatorId, undefined),
    ],
    guards,
  }
}

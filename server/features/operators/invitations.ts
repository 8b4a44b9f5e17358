import { randomUUID } from 'node:crypto'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { deployment } from '#server/platform/store/tables.ts'
import type { OperatorRole } from '#shared/contract/console/operator-roles.ts'
import { Problem } from '#shared/problem.ts'
import type { Invitation, Team } from './operator-records.ts'
import { newSecret, type OperatorStore, secretDigest } from './operator-store.ts'
import { memberNamed, memberOf, nobody, withRole } from './teams.ts'

/** Who is asked to come, and as what. */
export interface Asked {
  readonly accountId: string
  /** Null where the person gives it. */
  readonly name: string | null
  readonly role: OperatorRole
  /** Of who takes it at the provider, without its code. */
  readonly email?: string | null
  readonly lifeInSeconds: number
  /** Whether a name that is known is let in anew: who has lost a passkey. That is the word of the machine's owner alone. */
  readonly mayReplace: boolean
  /** The person who asks; absent for the machine's owner. */
  readonly invitedBy?: string
  /** Whether it counts only as long as nobody is in the account. */
  readonly isForFirst?: boolean
}

export interface Invitations {
  /** @throws {Problem} 409 for a name that is taken, and where the last owner would be none any more */
  make(asked: Asked): Promise<{ invitation: Invitation; code: string }>
}

export function createInvitations(store: Store, books: OperatorStore, now: Clock): Invitations {
  return {
    async make(asked) {
      const { accountId, name, role, email = null, lifeInSeconds, mayReplace, invitedBy, isForFirst } = asked
      const team = (await books.teams.get(deployment, accountId)) ?? nobody
      const known = name === null ? undefined : memberNamed(team, name)
      if (known !== undefined && !mayReplace)
        throw new Problem('conflict', 'Somebody in the account has this name, or one that looks like it.')
      if (known !== undefined) withRole(team, known.operatorId, role)
      const code = newSecret()
      const invitation: Invitation = {
        invitationId: randomUUID(),
        digest: secretDigest(code),
        accountId,
        name: known?.name ?? name,
        role,
        email,
        expiresAt: now() + lifeInSeconds * 1000,
        isUsed: false,
        replaces: known?.operatorId ?? null,
        ...(invitedBy === undefined ? {} : { invitedBy }),
        ...(isForFirst === undefined ? {} : { isForFirst }),
      }
      await store.commit([books.writeInvitation(invitation)], [])
      return { invitation, code }
    },
  }
}

/**
 * [Note: An invitation is its maker's word] It counts as long as whoever made it is an owner, and what a start printed until somebody is in.
 */
export function isInForce(team: Team, { invitedBy, isForFirst }: Invitation): boolean {
  if (isForFirst === true && team.members.length > 0) return false
  return invitedBy === undefined || memberOf(team, invitedBy)?.role === 'owner'
}

/** The address that an invitation is handed over as. [Note: Behind the hash] What stands there is sent to no server and no log. */
export function invitationAddress(origin: string, code: string): string {
  return `${origin}/console#${code}`
}

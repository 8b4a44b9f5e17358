import { randomUUID } from 'node:crypto'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { deployment } from '#server/platform/store/tables.ts'
import type { OperatorRole } from '#shared/operator-roles.ts'
import { Problem } from '#shared/problem.ts'
import type { Invitation, Team } from './operator-records.ts'
import { newSecret, type OperatorStore, secretDigest } from './operator-store.ts'
import { memberNamed, memberOf, nobody, withRole } from './teams.ts'

/** The person to invite, and their role. */
export interface InvitationRequest {
  readonly accountId: string
  /** Null if the person chooses the name. */
  readonly name: string | null
  readonly role: OperatorRole
  /** The address of a person who may accept through the provider instead of with the code. */
  readonly email?: string | null
  readonly lifeInSeconds: number
  /** True if a known name may be invited again after losing a passkey. Only the machine's owner may do this. */
  readonly mayReplace: boolean
  /** The operator who invites; absent for the machine's owner. */
  readonly invitedBy?: string
  /** True if the invitation is valid only while the account has no operator. */
  readonly isForFirst?: boolean
}

export interface Invitations {
  /** @throws {Problem} 409 if the name is taken, or if the last owner would lose that role */
  make(asked: InvitationRequest): Promise<{ invitation: Invitation; code: string }>
}

export function createInvitations(store: Store, books: OperatorStore, now: Clock): Invitations {
  return {
    async make(asked) {
      const { accountId, name, role, email = null, lifeInSeconds, mayReplace, invitedBy, isForFirst } = asked
      const team = (await books.teams.get(deployment, accountId)) ?? nobody
      const known = name === null ? undefined : memberNamed(team, name)
      if (known !== undefined && !mayReplace)
        throw new Problem(
          'conflict',
          'Another person in the account has this name, or one that looks like it.',
        )
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
 * [Note: An invitation is its maker's word] It is valid while the inviter is an owner. An invitation printed at startup is
 * valid until the account has an operator.
 */
export function isInForce(team: Team, { invitedBy, isForFirst }: Invitation): boolean {
  if (isForFirst === true && team.members.length > 0) return false
  return invitedBy === undefined || memberOf(team, invitedBy)?.role === 'owner'
}

/** An invitation's address. [Note: Behind the hash] Browsers do not send the fragment, so the code never reaches a server or a log. */
export function invitationAddress(origin: string, code: string): string {
  return `${origin}/console#${code}`
}

import type { OperatorRole } from '#shared/operator-roles.ts'
import { Problem } from '#shared/problem.ts'
import { looksLike } from './look-alike-names.ts'
import type { Member, Team } from './operator-records.ts'

export const nobody: Team = { members: [] }

export function memberOf({ members }: Team, operatorId: string): Member | undefined {
  return members.find((member) => member.operatorId === operatorId)
}

/** Also matches names that look the same. */
export function memberNamed({ members }: Team, name: string): Member | undefined {
  return members.find((member) => looksLike(member.name, name))
}

/** @throws {Problem} 409 if the name is taken */
export function withMember(team: Team, member: Member): Team {
  if (memberOf(team, member.operatorId) !== undefined)
    throw new Problem('conflict', 'The person is already in the account.')
  if (memberNamed(team, member.name) !== undefined)
    throw new Problem('conflict', 'Another person in the account has this name, or one that looks like it.')
  return { members: [...team.members, member] }
}

/** @throws {Problem} 404 if they are not a member, 409 for the last owner */
export function withRole(team: Team, operatorId: string, role: OperatorRole): Team {
  const member = existing(team, operatorId)
  if (role !== 'owner') refuseLastOwner(team, member)
  return { members: team.members.map((one) => (one === member ? { ...one, role } : one)) }
}

/** @throws {Problem} 404 if they are not a member, 409 for the last owner */
export function withoutMember(team: Team, operatorId: string): Team {
  const member = existing(team, operatorId)
  refuseLastOwner(team, member)
  return { members: team.members.filter((one) => one !== member) }
}

function existing(team: Team, operatorId: string): Member {
  const member = memberOf(team, operatorId)
  if (member === undefined) throw new Problem('not_found', 'The person does not exist in this account.')
  return member
}

/** [Note: Ours] Without an owner, there would be no way to invite people. */
function refuseLastOwner({ members }: Team, member: Member): void {
  if (member.role !== 'owner' || members.filter(({ role }) => role === 'owner').length > 1) return
  throw new Problem('conflict', 'This is the last owner: make another person an owner first.')
}

import type { Store } from '#server/platform/store/store.ts'
import { deployment } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import { busy } from './getting-in.ts'
import type { Member } from './operator-records.ts'
import type { OperatorStore } from './operator-store.ts'
import { memberNamed, nobody } from './teams.ts'

/**
 * Ends all of a member's sign-ins, removes their passkeys and revokes their invitations. The role stays. @throws {Problem}
 * 404 for an unknown name
 */
export type LockOut = (accountId: string, name: string) => Promise<Member>

export function createLockOut(store: Store, books: OperatorStore): LockOut {
  return (accountId, name) =>
    retryOnConflict(async () => {
      const member = memberNamed((await books.teams.get(deployment, accountId)) ?? nobody, name)
      const read = member && (await books.operators.read(deployment, member.operatorId))
      if (member === undefined || read === undefined)
        throw new Problem('not_found', 'No person in the account has this name.')
      const { identity: _forgotten, ...kept } = read.value
      const { operatorId } = kept
      const writes = [
        ...(await books.cutOff(operatorId)),
        ...books.forgetMeans(read.value),
        books.operators.write(deployment, operatorId, { ...kept, passkeys: [] }),
      ]
      return (await store.commit(writes, [read.guard])) ? member : undefined
    }, busy)
}

import type { ApiKey } from '#server/features/callers/callers.ts'
import type { GuardedRecord } from '#server/platform/store/tables.ts'
import { Problem } from '#shared/problem.ts'
import type { ApiKeys } from './api-keys.ts'

/** A key's record, for callers that change it. @throws not_found */
export async function readKey(
  keys: ApiKeys,
  accountId: string,
  keyId: string,
): Promise<GuardedRecord<ApiKey>> {
  const read = await keys.read(accountId, keyId)
  if (read === undefined) throw new Problem('not_found', 'The key does not exist.')
  return read
}

/** [Note: Ours] Otherwise, keys could no longer be created. @throws conflict */
export function refuseLastAdmin(key: ApiKey, others: readonly ApiKey[]): void {
  if (!key.scopes.includes('admin')) return
  if (others.some((one) => one.revoked === null && one.ends === undefined && one.scopes.includes('admin')))
    return
  throw new Problem('conflict', 'This is the last key with the scope admin: create another one first.')
}

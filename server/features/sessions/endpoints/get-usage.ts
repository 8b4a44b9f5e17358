import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { UsageCounts } from '#server/features/sessions/records/usage-counts.ts'
import { reportUsage } from '#server/features/sessions/usage/usage-report.ts'
import type { getUsage } from '#shared/contract/sessions/session-usage.ts'
import type { Handler } from '#shared/endpoint.ts'

export function createGetUsage(counts: Pick<UsageCounts, 'list'>): Handler<typeof getUsage, AccountCaller> {
  return ({ query, caller: { accountId } }) => reportUsage(counts, accountId, query)
}

import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { AuditLog } from './audit-log.ts'
import type { ReportedOutside } from './reported-outside.ts'
import { type IsWithdrawn, judgeLog } from './withdrawals.ts'

export type AuditService = HandlersOf<'configuration', 'getAuditLog' | 'verifyAuditLog'>

export function createAuditService(
  log: AuditLog,
  isWithdrawn: IsWithdrawn,
  reportedOutside: ReportedOutside,
): AuditService {
  return {
    async getAuditLog({ query, caller }) {
      const before = query.cursor === undefined ? undefined : Number(query.cursor)
      const entries = await log.page(caller.accountId, query.limit, before)
      const last = entries.at(-1)?.sequence ?? 1
      return { entries, nextCursor: last > 1 ? String(last) : null }
    },
    async verifyAuditLog({ query: { sequence, hash }, caller }) {
      const kept = sequence === undefined || hash === undefined ? undefined : { sequence, hash }
      return judgeLog(log, isWithdrawn, reportedOutside, caller.accountId, kept)
    },
  }
}

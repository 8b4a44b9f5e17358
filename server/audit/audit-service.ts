import type { AccountCaller } from '#server/accounts/caller.ts'
import type { getAuditLog, verifyAuditLog } from '#shared/contract/account/audit.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { AuditLog } from './audit-log.ts'

export interface AuditService {
  get: Handler<typeof getAuditLog, AccountCaller>
  verify: Handler<typeof verifyAuditLog, AccountCaller>
}

export function createAuditService(log: AuditLog): AuditService {
  return {
    async get({ query, caller }) {
      const before = query.cursor === undefined ? undefined : Number(query.cursor)
      const entries = await log.page(caller.accountId, query.limit, before)
      const last = entries.at(-1)?.sequence ?? 1
      return { entries, nextCursor: last > 1 ? String(last) : null }
    },
    async verify({ query: { sequence, hash }, caller }) {
      const kept = sequence === undefined || hash === undefined ? undefined : { sequence, hash }
      return log.verify(caller.accountId, kept)
    },
  }
}

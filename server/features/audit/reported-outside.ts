import type { AuditHead, Withdrawal } from './chain.ts'

/**
 * Facts about audit logs that were reported outside the store, or read from the logs' chains.
 * [Note: What was revoked stays refused] A key or kiosk that was noted here as revoked is refused even if its record says
 * otherwise, because an older record may have been put back.
 */
export interface ReportedOutside {
  /** The head that a log had reached; undefined if none was reported. */
  head(accountId: string): AuditHead | undefined
  withdrawals(accountId: string): readonly Withdrawal[]
  isWithdrawn(accountId: string, kind: Withdrawal['kind'], id: string): boolean
  noteHead(accountId: string, head: AuditHead): void
  /** Returns only the new ones. */
  note(accountId: string, withdrawals: readonly Withdrawal[]): readonly Withdrawal[]
}

export function createReportedOutside(): ReportedOutside {
  const heads = new Map<string, AuditHead>()
  const known = new Map<string, Map<string, Withdrawal>>()
  const nameOf = ({ kind, id }: Pick<Withdrawal, 'kind' | 'id'>) => `${kind}/${id}`

  return {
    head: (accountId) => heads.get(accountId),
    withdrawals: (accountId) => [...(known.get(accountId)?.values() ?? [])],
    isWithdrawn: (accountId, kind, id) => known.get(accountId)?.has(nameOf({ kind, id })) ?? false,
    noteHead: (accountId, head) => void heads.set(accountId, head),
    note(accountId, withdrawals) {
      const own = known.get(accountId) ?? new Map<string, Withdrawal>()
      const fresh = withdrawals.filter((withdrawal) => !own.has(nameOf(withdrawal)))
      for (const withdrawal of fresh) own.set(nameOf(withdrawal), withdrawal)
      if (fresh.length > 0) known.set(accountId, own)
      return fresh
    },
  }
}

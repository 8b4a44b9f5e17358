import type { AuditHead, Withdrawal } from './log/chain.ts'

/**
 * What is known of audit logs from outside the store, and from its chains as they were read. [Note: What was revoked stays refused] A record of a key or
 * a kiosk that says it is good counts for nothing where it was noted here that it was revoked, whoever put it back.
 */
export interface ReportedOutside {
  /** The end that a log had reached; undefined where none was reported. */
  head(accountId: string): AuditHead | undefined
  withdrawals(accountId: string): readonly Withdrawal[]
  isWithdrawn(accountId: string, kind: Withdrawal['kind'], id: string): boolean
  noteHead(accountId: string, head: AuditHead): void
  /** Answers those that were not known. */
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

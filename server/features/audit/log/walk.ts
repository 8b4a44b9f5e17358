import {
  type AuditHead,
  type AuditVerdict,
  firstOperation,
  hashOf,
  type Withdrawal,
  withdrawalsOf,
} from '#server/features/audit/chain.ts'
import type { Checkpoint } from '#server/features/audit/segments/sealed-frames.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'

/** Few entries are legitimately stored twice: only if two processes moved them at the same time. */
const rememberedHashes = 20_000

/** A fault and the affected entry. */
export interface ChainFault {
  readonly fault: AuditVerdict['fault'] & string
  readonly at: number
}

interface Chain {
  readonly accountId: string
  /** The log's key, in hex. */
  readonly key: string
  /** The starting point of the walk; sequence 0 for the beginning of the log. */
  readonly from: AuditHead & { readonly withdrawals?: readonly Withdrawal[] }
  /** An entry with a hash that was recorded elsewhere. */
  readonly kept?: AuditHead | undefined
}

/** Walks along a chain, one entry after another. */
export interface Walk {
  /** Takes the next entry; a second copy must be identical. Returns a fault, or undefined. */
  entry(entry: AuditEntry): ChainFault | undefined
  /** Compares a checkpoint with the walk's state. */
  checkpoint(checkpoint: Checkpoint): ChainFault | undefined
  /** The current position. */
  readonly head: AuditHead
  readonly withdrawals: readonly Withdrawal[]
  hashAt(sequence: number): string | undefined
}

export function createWalk({ accountId, key, from, kept }: Chain): Walk {
  let { sequence, hash } = from
  const withdrawals: Withdrawal[] = [...(from.withdrawals ?? [])]
  const known = new Map<number, string>([[sequence, hash]])

  function isNotKept(at: number, found: string): boolean {
    return at === kept?.sequence && !sameSecret(kept.hash, found)
  }

  return {
    entry(entry) {
      const { sequence: at } = entry
      if (at <= sequence) {
        const before = known.get(at)
        return before === undefined || sameSecret(before, entry.hash) ? undefined : { fault: 'rewritten', at }
      }
      if (at > sequence + 1) return { fault: 'missing', at: sequence + 1 }
      const expected = hashOf(accountId, key, hash, entry)
      if (!sameSecret(entry.hash, expected)) return { fault: 'altered', at }
      if (isNotKept(at, expected) || (at === 1 && entry.operation !== firstOperation))
        return { fault: 'rewritten', at }
      sequence = at
      hash = expected
      withdrawals.push(...withdrawalsOf(entry))
      known.set(at, hash)
      known.delete(at - rememberedHashes)
      return undefined
    },
    checkpoint({ sequence: at, hash: said }) {
      const found = known.get(at)
      return found === undefined || sameSecret(found, said) ? undefined : { fault: 'rewritten', at }
    },
    get head() {
      return { sequence, hash }
    },
    withdrawals,
    hashAt: (at) => known.get(at),
  }
}

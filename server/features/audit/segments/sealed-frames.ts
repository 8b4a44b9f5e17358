import { createHmac } from 'node:crypto'
import type { AuditHead, Withdrawal } from '#server/features/audit/chain.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import { type KeyRing, openBytes, sealBytes } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import type { Frame } from './segments.ts'

/** A position in a log with all revocations recorded up to it, signed with one of the ring's keys. */
export interface Checkpoint extends AuditHead {
  /** ISO 8601. */
  readonly time: string
  readonly withdrawals: readonly Withdrawal[]
}

type SignedCheckpoint = Checkpoint & { readonly signature: string }

/** Seals and opens audit log frames. A frame that was altered, moved, or sealed for another account does not open. */
export interface SealedFrames {
  /** At least one entry, each following the previous one. */
  entries(accountId: string, entries: readonly AuditEntry[]): Frame
  checkpoint(accountId: string, checkpoint: Checkpoint): Frame
  /** The part of a frame after one sequence and up to another; the whole frame if it was altered, undefined if the part is empty. */
  part(accountId: string, frame: Frame, after: number, upTo: number): Frame | undefined
  /** A frame's entries; undefined if it was altered. */
  openEntries(accountId: string, frame: Frame): readonly AuditEntry[] | undefined
  /** Undefined if it was altered or is not signed. */
  openCheckpoint(accountId: string, frame: Frame): Checkpoint | undefined
}

export function createSealedFrames(keyRing: KeyRing): SealedFrames {
  const sealing = keyRing.derive('seal:audit-segment')
  const signing = keyRing.derive('audit-checkpoint')

  const sign = (accountId: string, { sequence, hash, time, withdrawals }: Checkpoint) => {
    const revocations = withdrawals.map(({ kind, id, at }) => [kind, id, at])
    const content = JSON.stringify([accountId, sequence, hash, time, revocations])
    return createHmac('sha256', signing).update(content).digest('base64url')
  }

  function sealed(accountId: string, about: Omit<Frame, 'content'>, value: unknown): Frame {
    const content = sealBytes(sealing, contextOf(accountId, about), Buffer.from(JSON.stringify(value)))
    return { ...about, content }
  }

  function opened<T>(accountId: string, frame: Frame): T | undefined {
    return tryOrUndefined(
      () => JSON.parse(openBytes(sealing, contextOf(accountId, frame), frame.content).toString()) as T,
    )
  }

  function sealEntries(accountId: string, entries: readonly AuditEntry[]): Frame {
    const [first, last] = [entries[0]!.sequence, entries.at(-1)!]
    const time = Date.parse(last.time)
    return sealed(accountId, { kind: 'entries', first, last: last.sequence, time }, entries)
  }

  return {
    entries: sealEntries,
    part(accountId, frame, after, upTo) {
      const all = opened<readonly AuditEntry[]>(accountId, frame)
      if (all === undefined) return frame
      const left = all.filter(({ sequence }) => sequence > after && sequence <= upTo)
      return left.length === 0 ? undefined : sealEntries(accountId, left)
    },
    checkpoint(accountId, checkpoint) {
      const { sequence } = checkpoint
      const about = { kind: 'checkpoint', first: sequence, last: sequence } as const
      const signed = { ...checkpoint, signature: sign(accountId, checkpoint) } satisfies SignedCheckpoint
      return sealed(accountId, { ...about, time: Date.parse(checkpoint.time) }, signed)
    },
    openEntries: (accountId, frame) =>
      frame.kind === 'entries' ? opened<readonly AuditEntry[]>(accountId, frame) : undefined,
    openCheckpoint(accountId, frame) {
      const signed = frame.kind === 'checkpoint' ? opened<SignedCheckpoint>(accountId, frame) : undefined
      return signed !== undefined && sameSecret(signed.signature, sign(accountId, signed))
        ? signed
        : undefined
    },
  }
}

/** Binds a frame to its account and its place. */
function contextOf(accountId: string, { kind, first, last, time }: Omit<Frame, 'content'>): Uint8Array {
  return Buffer.from(JSON.stringify([accountId, kind, first, last, time]))
}

import { createReportedOutside, type ReportedOutside } from '#server/features/audit/reported-outside.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import { type ReportedBefore, readReportedBefore } from './compare-heads.ts'
import { createHeadSender, type HeadSender } from './head-sender.ts'
import type { HeadTarget } from './head-target.ts'
import type { ReportedHead } from './reported-heads.ts'

export interface OpenHeads {
  readonly headSender: HeadSender
  readonly reportedOutside: ReportedOutside
  readonly reportedBefore: ReportedBefore
}

/** Describes the head targets, for the startup log. */
export function headsWords(targets: readonly HeadTarget[]): string {
  const [first] = targets
  if (first?.kind !== 'file' || first.isOwn !== true)
    return `Audit heads: ${targets.length} targets in AUDIT_HEADS.`
  return `Audit heads: ${first.path}. They reveal a store file that was rolled back, but not a whole folder (set AUDIT_HEADS).`
}

/**
 * Reads the reported heads, and continues to report. `onFailure` receives files that could not be read or written; the
 * process continues.
 */
export async function openHeads(
  targets: readonly HeadTarget[],
  keyRing: KeyRing,
  onFailure: (error: unknown) => void,
  onRecord?: (head: ReportedHead) => void,
): Promise<OpenHeads> {
  const reportedOutside = createReportedOutside()
  const reportedBefore = await readReportedBefore(targets, keyRing, reportedOutside).catch(
    (error: unknown) => {
      onFailure(error)
      return new Map()
    },
  )
  const outbound = createOutbound({ allowLoopback: true })
  return {
    headSender: createHeadSender({ targets, keyRing, outbound, onRecord, now: Date.now, onFailure }),
    reportedOutside,
    reportedBefore,
  }
}

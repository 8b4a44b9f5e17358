import type { Tally } from '#server/platform/telemetry/figures/tally.ts'

/** Receives records that a background pass skipped because it could not read them. */
export interface UnreadableRecords {
  tell(kind: string, error: unknown): void
}

/**
 * [Note: One unreadable record ends nothing] A record is counted on every pass that meets it, and reported once per kind:
 * with the kind, never with the content of the record.
 */
export function createUnreadableRecords(
  tally: Pick<Tally, 'recordUnreadable'>,
  onFailure: (error: unknown, text: string) => void,
): UnreadableRecords {
  const reported = new Set<string>()
  return {
    tell(kind, error) {
      tally.recordUnreadable(kind)
      if (reported.has(kind)) return
      reported.add(kind)
      onFailure(error, `A record of ${kind} was skipped because it cannot be read`)
    },
  }
}

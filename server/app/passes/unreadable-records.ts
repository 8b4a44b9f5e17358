import type { Tally } from '#server/platform/telemetry/figures/tally.ts'

/** Told of records that a background pass could not read and left out. */
export interface UnreadableRecords {
  tell(kind: string, error: unknown): void
}

/**
 * [Note: One unreadable record ends nothing] It is counted each time that a pass comes past, and reported once for each kind: with the kind, never
 * with what stands in it.
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
      onFailure(error, `A record of ${kind} cannot be read, and is left out`)
    },
  }
}

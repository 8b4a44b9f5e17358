import type { ActingHint, Hint } from '#web/wording/findings.ts'
import { thresholds } from './thresholds.ts'

/** Keeps track of a stage's spoken hints. Times are stream time in milliseconds. */
export interface SpokenMemory {
  readonly hint: Hint | ActingHint | null
  readonly since: number
  readonly spokenAt: number
  readonly count: number
}

export const nothingSpoken: SpokenMemory = {
  hint: null,
  since: 0,
  spokenAt: Number.NEGATIVE_INFINITY,
  count: 0,
}

/** Decides whether to speak the current hint now: only if it is stable, not too often, and a limited number of times. */
export function speakHint(
  memory: SpokenMemory,
  hint: Hint | ActingHint | null,
  at: number,
): { memory: SpokenMemory; speak: Hint | ActingHint | null } {
  const { stableMilliseconds, gapMilliseconds, times } = thresholds.speech
  const changed = hint !== memory.hint
  const now = changed ? { ...memory, hint, since: at, count: 0 } : memory
  const due =
    hint !== null &&
    now.count < times &&
    at - now.since >= stableMilliseconds &&
    at - now.spokenAt >= gapMilliseconds
  return due
    ? { memory: { ...now, spokenAt: at, count: now.count + 1 }, speak: hint }
    : { memory: now, speak: null }
}

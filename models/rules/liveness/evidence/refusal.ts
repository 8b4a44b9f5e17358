import type { Cue, CueName } from './cue.ts'

/**
 * [Note: A cue refuses once it was measured] Only where it is `true` may a broken cue fail a session: it takes the worst
 * value of at least 20 living people, and twice that distance. Until then it only keeps a session from `standard`.
 */
export const mayRefuse: Readonly<Record<CueName, boolean>> = {
  light: true,
  rim: true,
  cuts: false,
  perspective: false,
}

/** Whether a broken cue fails the session. */
export function isRefusedByCues(
  cues: readonly Cue[],
  allowed: Readonly<Record<CueName, boolean>> = mayRefuse,
): boolean {
  return cues.some(({ name, answer }) => answer === 'broken' && allowed[name])
}

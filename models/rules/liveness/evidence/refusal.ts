import type { Cue, CueName } from './cue.ts'

/**
 * [Note: A cue refuses once it was measured] A broken cue may only fail a session if its value here is `true`. The limit is twice the worst
 * distance among at least 20 living people. Until then, it only keeps a session from reaching `standard`.
 */
export const mayRefuse: Readonly<Record<CueName, boolean>> = {
  light: true,
  rim: true,
  cuts: false,
  perspective: false,
}

/** True if a broken cue fails the session. */
export function isRefusedByCues(
  cues: readonly Cue[],
  allowed: Readonly<Record<CueName, boolean>> = mayRefuse,
): boolean {
  return cues.some(({ name, answer }) => answer === 'broken' && allowed[name])
}

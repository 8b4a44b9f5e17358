import { median } from '#models/rules/median.ts'
import type { Cue, CueName } from './cue.ts'
import type { TurnedPair } from './turned-pairs.ts'

/** From where on a cue is held, and below what it is broken. */
interface Limits {
  readonly held: number
  readonly broken: number
}

/** [Note: Light and rim] Held: beyond every picture that was moved; broken: below half of the least of any living person. */
export const physicsLimits: Readonly<Record<'light' | 'rim', Limits>> = {
  light: { held: 0.02, broken: 0.0075 },
  rim: { held: 0.09, broken: 0.05 },
}

/** What light and surroundings say over all pairs of a session: the median of each. */
export function physicsOf(pairs: readonly TurnedPair[]): Cue[] {
  return [cueOf('light', pairs), cueOf('rim', pairs)]
}

function cueOf(name: CueName & keyof typeof physicsLimits, pairs: readonly TurnedPair[]): Cue {
  const value = median(pairs.flatMap((pair) => pair[name] ?? [])) ?? null
  const { held, broken } = physicsLimits[name]
  if (value === null) return { name, answer: 'cannotTell', value }
  if (value >= held) return { name, answer: 'held', value }
  return { name, answer: value < broken ? 'broken' : 'cannotTell', value }
}

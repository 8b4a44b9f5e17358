import { median } from '#models/rules/median.ts'
import type { TurnedPair } from '../../observation.ts'
import type { Cue, CueName } from './cue.ts'

/** A cue is held within the first range and broken outside the second one. Both ranges include their ends. */
interface Limits {
  readonly held: readonly [least: number, most: number]
  readonly unbroken: readonly [least: number, most: number]
}

/**
 * [Note: Light and rim] A cue is held within the range of living people, and broken below half of their minimum or above twice their maximum. Two
 * photographs of the same person have different light, and their surroundings may differ in any way.
 */
export const physicsLimits: Readonly<Record<'light' | 'rim', Limits>> = {
  light: { held: [0.02, 0.13], unbroken: [0.0075, 0.28] },
  rim: { held: [0.09, Number.POSITIVE_INFINITY], unbroken: [0.05, Number.POSITIVE_INFINITY] },
}

/** The light and rim cues over a visit's pairs, computed separately for each step, including failed ones. */
export function physicsOfVisit(steps: readonly (readonly TurnedPair[])[]): Cue[] {
  const ofAll = physicsOf(steps.flat())
  const ofEach = steps.map(physicsOf)
  return ofAll.map((cue, index) => {
    const broken = ofEach.map((cues) => cues[index]!).find(({ answer }) => answer === 'broken')
    return cue.answer === 'broken' ? cue : (broken ?? cue)
  })
}

/** The light and rim cues over some pairs, taking the median of each. */
export function physicsOf(pairs: readonly TurnedPair[]): Cue[] {
  return [cueOf('light', pairs), cueOf('rim', pairs)]
}

function cueOf(name: CueName & keyof typeof physicsLimits, pairs: readonly TurnedPair[]): Cue {
  const value = median(pairs.flatMap((pair) => pair[name] ?? [])) ?? null
  const { held, unbroken } = physicsLimits[name]
  if (value === null) return { name, answer: 'cannotTell', value }
  if (isWithin(value, held)) return { name, answer: 'held', value }
  return { name, answer: isWithin(value, unbroken) ? 'cannotTell' : 'broken', value }
}

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most
}

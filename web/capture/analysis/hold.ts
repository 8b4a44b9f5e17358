import { isMovement, type Rest, restOf, type Sample, sampleOf } from '#models/rules/challenge/rest.ts'
import type { Analysis } from '#workers/api.ts'
import { thresholds } from './thresholds.ts'

/** The first hold. Good frames add up, a bad frame pauses it, and a movement as large as an action restarts it. */
export interface HoldMemory {
  readonly goodMilliseconds: number
  readonly lastGoodAt: number | null
  readonly samples: readonly Sample[]
}

export const noHold: HoldMemory = { goodMilliseconds: 0, lastGoodAt: null, samples: [] }

/** Computes the next state. `good` is true if this analysis has no fault. */
export function hold(memory: HoldMemory, analysis: Analysis, good: boolean, at: number): HoldMemory {
  const sample = sampleOf(analysis)
  if (sample === undefined) return { ...memory, lastGoodAt: null }
  if (memory.samples.length > 0 && isMovement(sample, restOf(memory.samples))) return noHold
  if (!good) return { ...memory, lastGoodAt: null }
  const gained = memory.lastGoodAt === null ? 0 : at - memory.lastGoodAt
  return {
    goodMilliseconds: memory.goodMilliseconds + gained,
    lastGoodAt: at,
    samples: [...memory.samples, sample],
  }
}

/** 0...1. */
export function holdProgress({ goodMilliseconds }: HoldMemory): number {
  return Math.min(1, goodMilliseconds / thresholds.holdMilliseconds)
}

/** The neutral pose that actions are measured against. */
export function neutralOfHold({ samples }: HoldMemory): Rest {
  return restOf(samples)
}

/** Decides which of a hold's good pictures are sent early. */
export function createEarlyChoice() {
  const { from, patience } = thresholds.early
  let sent = 0
  let best = Number.NEGATIVE_INFINITY
  return (progress: number, merit: number): boolean => {
    best = Math.max(best, merit)
    const start = from[sent]
    const isChosen =
      start !== undefined && progress >= start && (merit >= best || progress >= start + patience)
    if (isChosen) sent++
    return isChosen
  }
}

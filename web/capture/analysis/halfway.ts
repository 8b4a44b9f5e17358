import type { Rest } from '#models/rules/challenge/rest.ts'
import { strengthsOf, strongestOfHead } from '#models/rules/challenge/strength.ts'
import type { StageWatch } from './stages.ts'
import { thresholds as t } from './thresholds.ts'

/**
 * The way back from an action whose pictures are sent already: it lasts until the head is nearer to straight than to the action. [Note: Not for ever]
 * Whoever stays turned sees the next instruction after a while as well.
 */
export function halfwayStage(neutral: Rest): StageWatch {
  let startedAt: number | null = null
  return {
    select: () => [],
    crowded: () => false,
    watch(analysis, at) {
      startedAt ??= at
      const strengths = strengthsOf(analysis, neutral)
      const { straightShare, mostMilliseconds } = t.comingBack
      const isNear = strengths !== undefined && strongestOfHead(strengths) < straightShare
      return { hint: null, progress: 1, done: isNear || at - startedAt >= mostMilliseconds }
    },
  }
}

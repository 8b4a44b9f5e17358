import { quantile } from '#lab/statistics/quantile.ts'
import type { RivalMatch } from './rival.ts'
import type { Round } from './side.ts'

/** Sums of rounded numbers differ by less than this, so a face this close to a threshold may end up on either side of it. */
const rounding = 1e-4

/** The evaluation of a rival's answers. */
export interface RivalFigures {
  readonly queries: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  /** Of the queries whose nearest face reaches the threshold, the share for which exactly this face was returned. */
  readonly recallAt1: number
  /** The number of other queries for which a face was returned. */
  readonly falseFinds: number
}

/** `threshold` is a cosine. A face below it does not count as found, whatever the rival answers. */
export function judge(
  { queryMs, found }: Round,
  truth: readonly RivalMatch[],
  threshold: number,
): RivalFigures {
  const asked = truth.slice(0, found.length).map((right, i) => ({ right, answer: found[i] }))
  const reaching = asked.filter(({ right }) => right.cosine >= threshold)
  const beneath = asked.filter(({ right }) => right.cosine < threshold - rounding)
  return {
    queries: found.length,
    p50Ms: quantile(queryMs, 0.5),
    p95Ms: quantile(queryMs, 0.95),
    p99Ms: quantile(queryMs, 0.99),
    recallAt1: reaching.filter(({ right, answer }) => isRight(right, answer)).length / reaching.length,
    falseFinds: beneath.filter(({ answer }) => answer !== undefined && answer.cosine >= threshold).length,
  }
}

function isRight(right: RivalMatch, answer: RivalMatch | undefined): boolean {
  return answer !== undefined && answer.face === right.face
}

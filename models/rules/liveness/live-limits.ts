import type { LiveProbabilities } from '#models/rules/analysis.ts'
import calibration from '../../calibration/liveness.json' with { type: 'json' }

/** The minimum scores for a living person, 0...1: see the network’s card. */
export interface LiveLimits {
  /** For a single picture. */
  readonly image: number
  /** For a recording, i.e. a session's frames. */
  readonly clip: number
  /** A spoof is called a screen if at least this share of the surroundings is dark. */
  readonly screen: number
}

/** The limits per pack, since combining several networks' scores changes them. */
const byPack: { readonly standard: LiveLimits; readonly extended?: LiveLimits } = calibration

/**
 * The limits for an analysis. [Note: Scores carry their limits] The analysis itself records which networks were used, rather than the process that
 * judges it, because a session's pictures may be analysed by several processes.
 */
export function liveLimits(looked?: Pick<LiveProbabilities, 'second'> | null): LiveLimits {
  return looked?.second === undefined ? byPack.standard : (byPack.extended ?? byPack.standard)
}

import type { LiveProbabilities } from '#models/rules/analysis.ts'
import calibration from '../../calibration/liveness.json' with { type: 'json' }

/** Minimum scores of a living person, 0...1: see the network’s card. */
export interface LiveLimits {
  /** For a picture that is judged alone. */
  readonly image: number
  /** For a recording: the frames of a session. */
  readonly clip: number
  /** Minimum share of dark surroundings for a spoof to be called a screen. */
  readonly screen: number
}

/** Limits by pack, since the combined score of several networks has other limits. */
const byPack: { readonly standard: LiveLimits; readonly extended?: LiveLimits } = calibration

/**
 * The limits for an analysis. [Note: Scores carry their limits] The analysis itself says which networks were used,
 * instead of the process that judges it, because the pictures of one session may be analysed by several processes.
 */
export function liveLimits(looked?: Pick<LiveProbabilities, 'second'> | null): LiveLimits {
  return looked?.second === undefined ? byPack.standard : (byPack.extended ?? byPack.standard)
}

import type { LiveProbabilities } from '#models/rules/analysis.ts'
import calibration from '../../calibration/liveness.json' with { type: 'json' }

/** From where on scores speak for a living person, 0...1: see the network’s card. */
export interface LiveLimits {
  /** Of a picture that is judged alone. */
  readonly image: number
  /** Of a recording: the frames of a session. */
  readonly clip: number
  /** Share of the surroundings that is dark, from where on a spoof is a screen. */
  readonly screen: number
}

/** Limits by pack: what several networks say together lies elsewhere. */
const byPack: { readonly standard: LiveLimits; readonly extended?: LiveLimits } = calibration

/**
 * The limits for what was looked at. [Note: Scores carry their limits] Which networks looked is said by the analysis itself, not by
 * the process that judges it: pictures of one session may be analysed by several.
 */
export function liveLimits(looked?: Pick<LiveProbabilities, 'second'> | null): LiveLimits {
  return looked?.second === undefined ? byPack.standard : (byPack.extended ?? byPack.standard)
}

import type { FaceAnalysis } from '#models/analysis.ts'
import { liveScore } from '#models/live-score.ts'
import type { AccountCaller } from '#server/accounts/caller.ts'
import type { detectLiveness } from '#shared/contract/liveness.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { AnalyseImage } from './analyse-image.ts'
import { foundFace } from './found-face.ts'

/** The liveness role. */
export interface Liveness {
  readonly detectLiveness: Handler<typeof detectLiveness, AccountCaller>
}

export function createLiveness(analyseImage: AnalyseImage): Liveness {
  return {
    async detectLiveness({ body, caller }) {
      const analysis = await analyseImage(
        body.image,
        { group: 'otherwise' as const, liveness: 'full' },
        caller,
      )
      const { face } = analysis
      if (face === undefined) return { isLive: false, confidence: 0, spoofType: null, face: null }
      return { ...judgeLiveness(face), face: foundFace(face, analysis) }
    },
  }
}

const liveFrom = 0.5

/**
 * [Note: Ours] `confidence` is that of the answer, whichever it is. One still picture does not tell a print from a
 * screen, so a spoof is a `photo` as long as nothing speaks for another type.
 */
export function judgeLiveness({ live }: Pick<FaceAnalysis, 'live'>) {
  const score = live === undefined ? 0 : liveScore(live)
  const isLive = score >= liveFrom
  return { isLive, confidence: isLive ? score : 1 - score, spoofType: isLive ? null : ('photo' as const) }
}

import type { Calibration, CalibrationResult } from '#lab/evaluate/calibration/calibration.ts'
import { seeFaces } from '#lab/evaluate/recognition/seen-faces.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import { quantile } from '#lab/statistics/quantile.ts'
import tables from '../../../models/calibration/quality.json' with { type: 'json' }
import { embedders } from '../../../models/networks/embedder.ts'
import { setOfStrangers } from './score-calibration.ts'

const shares = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99] as const

/** Calibrates the scale of a frame's quality, based on the strength of press photographs' embeddings. */
export const qualityCalibration: Calibration = {
  name: 'quality',
  summary: 'the strength of embeddings, for the quality of a frame',
  async calibrate(data: string, bench: Bench): Promise<CalibrationResult> {
    const model = bench.pack.embeddingModel
    const seen = await seeFaces(setOfStrangers(data, 'tuning'), bench)
    const strengths = seen.flatMap(({ face }) => face?.embeddingStrength ?? [])
    const points = shares.map((share) => ({ share, strength: rounded(quantile(strengths, share)) }))
    return {
      values: { ...tables, [model]: { strengths: points } },
      cards: { [embedders[model].network]: report(points, strengths.length) },
    }
  },
}

function report(
  points: readonly { readonly share: number; readonly strength: number }[],
  count: number,
): string {
  return `**Strength of an embedding** (\`npm run calibrate -- quality\`): the length of the network's own vector tells how much of a face it
saw, and is the main part of a frame's quality. Of ${count.toLocaleString('en-GB')} press photographs (one half of the people of LFW) a share is weaker:

| ${points.map(({ share }) => `${100 * share} %`).join(' | ')} |
|${points.map(() => '---|').join('')}
| ${points.map(({ strength }) => strength).join(' | ')} |`
}

function rounded(strength: number): number {
  return Math.round(strength * 1000) / 1000
}

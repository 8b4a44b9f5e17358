import type { Analysis, AnalysisStages, FaceAnalysis } from '#models/rules/analysis.ts'
import type { QualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { captureOf } from './capture.ts'
import { component } from './curves.ts'
import { exposureOf } from './exposure.ts'
import { framingOf } from './framing.ts'
import { occlusionOf } from './occlusion.ts'
import { postureOf } from './posture.ts'

/** The stages required to derive a quality. */
export const wantedForQuality = {
  embedding: true,
  expression: 'light',
  eyes: true,
  appearance: true,
} as const satisfies AnalysisStages

/** The quality of one face's picture. */
export interface FaceQuality {
  /**
   * How well the face can be recognised, 0 to 100: `unifiedQuality`, so that one in eight press photographs is below 50,
   * and one in two below 80. docs/faces.md compares it with missed matches.
   */
  readonly unifiedScore: number
  /** Individual strengths and weaknesses. The unified score is not derived from them. */
  readonly components: QualityComponents
}

/**
 * The quality of one face of an analysis that wanted `wantedForQuality`. Pure. Components without a docstring's formula
 * are null: `eyesVisible` and `noHeadCoverings` are not measured, since glasses and hats are not recognised reliably
 * here.
 */
export function qualityOf(face: FaceAnalysis, analysis: Analysis): FaceQuality {
  return {
    unifiedScore: component(face.unifiedQuality ?? Math.cbrt(face.frameQuality ?? face.clarity.share)),
    components: {
      ...exposureOf(face),
      ...captureOf(face),
      ...framingOf(face, analysis),
      ...postureOf(face),
      ...occlusionOf(face),
      eyesVisible: null,
      noHeadCoverings: null,
    },
  }
}

/** Components below this are reported if a face's unified score is too low. */
const poor = 50

/** Explains why a picture falls short: its poor components, worst first. Empty if there are none. */
export function poorComponents({ components }: FaceQuality): (keyof QualityComponents)[] {
  return (Object.entries(components) as [keyof QualityComponents, number | null][])
    .filter((entry): entry is [keyof QualityComponents, number] => entry[1] !== null && entry[1] < poor)
    .sort(([, a], [, b]) => a - b)
    .map(([name]) => name)
}

import type { Analysis, FaceAnalysis, Wanted } from '#models/rules/analysis.ts'
import type { QualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { captureOf } from './capture.ts'
import { component } from './curves.ts'
import { exposureOf } from './exposure.ts'
import { framingOf } from './framing.ts'
import { occlusionOf } from './occlusion.ts'
import { postureOf } from './posture.ts'

/** What a quality is read from. */
export const wantedForQuality = {
  embedding: true,
  expression: 'light',
  eyes: true,
  appearance: true,
} as const satisfies Wanted

/** How good the picture of one face is. */
export interface FaceQuality {
  /**
   * How well the face can be recognised, 0 to 100: `unifiedQuality`, so that 50 is what one press photograph in eight falls short
   * of, and 80 one in two. docs/faces.md holds it against missed matches.
   */
  readonly unifiedScore: number
  /** What helps or hurts, one by one; the unified score is not made of them. */
  readonly components: QualityComponents
}

/**
 * The quality of one face of an analysis that wanted `wantedForQuality`. Pure. Components without a docstring's formula are
 * null: `eyesVisible` and `noHeadCoverings` are not measured, since neither glasses nor hats are recognised reliably here.
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

/** Components below this keep a face out whose unified score is below what is asked. */
const poor = 50

/** Why a picture falls short: the components that are poor, the worst first; empty where none is. */
export function poorComponents({ components }: FaceQuality): (keyof QualityComponents)[] {
  return (Object.entries(components) as [keyof QualityComponents, number | null][])
    .filter((entry): entry is [keyof QualityComponents, number] => entry[1] !== null && entry[1] < poor)
    .sort(([, a], [, b]) => a - b)
    .map(([name]) => name)
}

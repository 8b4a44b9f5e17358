import type { FaceAnalysis } from '#models/rules/analysis.ts'
import type { QualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { component, ramp, sigmoid } from './curves.ts'

type Capture = Pick<
  QualityComponents,
  'backgroundUniformity' | 'sharpness' | 'compressionArtifacts' | 'naturalColour'
>

/** The variance of the Laplacian on the aligned face. Below the first value, no face can be recognised; press photographs reach the second. */
const sharpnessRange = [2, 50] as const
/** Steps at block edges relative to steps elsewhere. */
const blockRange = [2.2, 1.05] as const
/** The range of a* and b* for skin in natural light. */
const natural = { a: [5, 25], b: [5, 35] } as const

/**
 * Components of how a picture was taken and encoded; s(x, c, w): the logistic curve.
 *
 * - sharpness: log(x / 2) / log(25), x the variance of the Laplacian of the aligned 112-pixel face (Pech-Pacheco et al.
 *   2000); ours.
 * - compressionArtifacts: 1 at or below 1.05, 0 at 2.2, x the mean luminance step at the edges of JPEG's blocks over the
 *   mean step elsewhere (after Wang et al. 2002); ours. Says nothing about a picture that was resized after compression;
 *   null if the server itself analysed a smaller copy.
 * - naturalColour: 2 (1 - s(D, 0, 10)), D the distance of the skin of forehead and cheeks from a* 5 to 25 and b* 5 to 35;
 *   as the reference implementation of ISO/IEC 29794-5:2025. Low for a grey picture.
 * - backgroundUniformity: 1.9 (1 - s(x, 10, 100)), x the mean gradient next to and above the head; as the same, on our
 *   own region. Null if too little next to the head is visible.
 */
export function captureOf({ quality, appearance }: FaceAnalysis): Capture {
  const sharpness = component(ramp(Math.log(Math.max(1e-6, quality.sharpness)), ...logs(sharpnessRange)))
  if (appearance === undefined)
    return { sharpness, compressionArtifacts: null, naturalColour: null, backgroundUniformity: null }
  const { blockiness, backgroundGradient, upperSkin } = appearance
  const distance = Math.hypot(outside(upperSkin.a, natural.a), outside(upperSkin.b, natural.b))
  return {
    sharpness,
    compressionArtifacts: blockiness === undefined ? null : component(ramp(blockiness, ...blockRange)),
    naturalColour: component(2 * (1 - sigmoid(distance, 0, 10))),
    backgroundUniformity:
      backgroundGradient === undefined ? null : component(1.9 * (1 - sigmoid(backgroundGradient, 10, 100))),
  }
}

function logs([low, high]: readonly [number, number]): [number, number] {
  return [Math.log(low), Math.log(high)]
}

function outside(value: number, [low, high]: readonly [number, number]): number {
  return Math.max(0, low - value, value - high)
}

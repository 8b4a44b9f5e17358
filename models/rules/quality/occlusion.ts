import type { Appearance, FaceAnalysis, LabColour } from '#models/rules/analysis.ts'
import type { QualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { component, ramp } from './curves.ts'

type Occlusion = Pick<QualityComponents, 'faceOcclusionPrevention' | 'mouthOcclusionPrevention'>

/** Log-odds that the mesh's network gives a face: below the first it doubts, above the second it is sure. */
const doubted = [9, 3] as const
/** By how much lips are redder than the skin about them, a* of CIE L*a*b*. */
const redLips = [8, 0] as const
/** By how much the skin between nose and lips is bluer than forehead and cheeks, b*. */
const bluer = [2, 12] as const
/** Less chroma than this anywhere: a grey picture, whose colours say nothing. */
const leastChroma = 3
/** Beyond, the network's probability differs from 1 by less than a number holds. */
const surest = 1 - 1e-6

/**
 * How free a face is of what covers it: masks, scarves, hands. Three signs, each a share of 0 to 1: the mesh's network doubts the
 * face (log-odds 9 to 3); the lips are no redder than the skin about them (a* 8 to 0); the skin above the lips is bluer than
 * forehead and cheeks (b* 2 to 12). Of a grey picture only the first is read.
 *
 * - mouthOcclusionPrevention: 1 less the mean of all three.
 * - faceOcclusionPrevention: 1 less the mean of doubt and the greater of the colours' shares.
 *
 * Our own measure; limits chosen on masked and free faces (docs/accuracy.md has its AUC). What covers the eyes or the forehead
 * alone shows in the first sign only. Null where colours were not read.
 */
export function occlusionOf({ presence, appearance }: FaceAnalysis): Occlusion {
  if (appearance === undefined) return { faceOcclusionPrevention: null, mouthOcclusionPrevention: null }
  const sure = Math.min(presence, surest)
  const doubt = ramp(Math.log(sure / (1 - sure)), ...doubted)
  if (isGrey(appearance)) {
    const free = component(1 - doubt)
    return { faceOcclusionPrevention: free, mouthOcclusionPrevention: free }
  }
  const { upperSkin, upperLip, chin, lips } = appearance
  const pale = ramp(lips.a - (upperLip.a + chin.a) / 2, ...redLips)
  const blue = ramp(upperSkin.b - upperLip.b, ...bluer)
  return {
    mouthOcclusionPrevention: component(1 - (doubt + pale + blue) / 3),
    faceOcclusionPrevention: component(1 - (doubt + Math.max(pale, blue)) / 2),
  }
}

function isGrey({ upperSkin, upperLip, chin, lips }: Appearance): boolean {
  return [upperSkin, upperLip, chin, lips].every((colour) => chroma(colour) < leastChroma)
}

function chroma({ a, b }: LabColour): number {
  return Math.hypot(a, b)
}

import type { Appearance, FaceAnalysis, LabColour } from '#models/rules/analysis.ts'
import type { QualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { component, ramp } from './curves.ts'

type Occlusion = Pick<QualityComponents, 'faceOcclusionPrevention' | 'mouthOcclusionPrevention'>

/** The log-odds that the mesh's network gives a face: it is doubtful below the second value, and certain above the first. */
const doubted = [9, 3] as const
/** How much redder the lips are than the surrounding skin, in a* of CIE L*a*b*. */
const redLips = [8, 0] as const
/** How much bluer the skin above the lips is than the forehead and cheeks, in b*. */
const bluer = [2, 12] as const
/** The minimum chroma that must occur somewhere. Below it, the picture is grey and its colours are meaningless. */
const leastChroma = 3
/** Beyond this, the network's probability is too close to 1 to be represented as a number. */
const surest = 1 - 1e-6

/**
 * How free a face is of masks, scarves, hands and other covers. Three signs, each a share of 0 to 1: the mesh's network
 * doubts the face (log-odds 9 to 3); the lips are no redder than the skin around them (a* 8 to 0); the skin above the
 * lips is bluer than forehead and cheeks (b* 2 to 12). Of a grey picture only the first is read.
 *
 * - mouthOcclusionPrevention: 1 minus the mean of all three.
 * - faceOcclusionPrevention: 1 minus the mean of doubt and the greater of the colours' shares.
 *
 * Our own measure, with limits chosen on masked and free faces (docs/accuracy.md has its AUC). Covers of only the eyes or
 * the forehead show in the first sign only. Null if colours were not read.
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

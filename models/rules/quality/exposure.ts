import type { FaceAnalysis } from '#models/rules/analysis.ts'
import type { QualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { component, sigmoid } from './curves.ts'

type Exposure = Pick<
  QualityComponents,
  | 'illuminationUniformity'
  | 'luminanceMean'
  | 'luminanceVariance'
  | 'underExposurePrevention'
  | 'overExposurePrevention'
  | 'dynamicRange'
>

const side = 112
/** The face within its aligned square, in pixels: an ellipse from the top of the eyebrows to the chin. */
const ellipse = { x: 55.5, y: 64, across: 38, down: 46 } as const

/** The aligned face's pixels, row by row, for the person's right and left half. */
const halves = placesOfHalves()

function placesOfHalves(): { right: number[]; left: number[] } {
  const [right, left]: [number[], number[]] = [[], []]
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const isFace = Math.hypot((x - ellipse.x) / ellipse.across, (y - ellipse.y) / ellipse.down) < 1
      if (isFace) (x < ellipse.x ? right : left).push(y * side + x)
    }
  }
  return { right, left }
}

/**
 * Components of the light on a face, from the luminance (0 to 255) of the aligned face. Formulas of ISO/IEC 29794-5:2025
 * as its reference implementation OFIQ publishes them, on our own region of the face; m, v: mean and variance of
 * luminance as a share of 255, p: shares of pixels, s(x, c, w): the logistic curve.
 *
 * - luminanceMean: s(m, 0.2, 0.05) (1 - s(m, 0.8, 0.05)). Falls below a fifth and above four fifths of the range.
 * - luminanceVariance: sin(pi 60 v / (60 v + 1)). Falls for flat and for harsh light.
 * - underExposurePrevention: 1.2 (0.832 - s(p, 0.92, 0.05)), p the share at or below 25, at most 1.
 * - overExposurePrevention: 0.01 / (p + 0.01), p the share at or above 247.
 * - dynamicRange: entropy of the histogram of 256 levels over 8 bits.
 * - illuminationUniformity: x^0.3, x the intersection of the histograms of both halves of the face.
 */
export function exposureOf({ aligned }: Pick<FaceAnalysis, 'aligned'>): Exposure {
  const right = histogram(aligned, halves.right)
  const left = histogram(aligned, halves.left)
  const whole = right.map((share, level) => (share + left[level]!) / 2)
  const mean = whole.reduce((sum, share, level) => sum + (share * level) / 255, 0)
  const variance = whole.reduce((sum, share, level) => sum + share * (level / 255 - mean) ** 2, 0)
  const dark = total(whole.slice(0, 26))
  const bright = total(whole.slice(247))
  const common = right.reduce((sum, share, level) => sum + Math.min(share, left[level]!), 0)
  return {
    luminanceMean: component(sigmoid(mean, 0.2, 0.05) * (1 - sigmoid(mean, 0.8, 0.05))),
    luminanceVariance: component(Math.sin((Math.PI * 60 * variance) / (60 * variance + 1))),
    underExposurePrevention: component(1.2 * (0.832 - sigmoid(dark, 0.92, 0.05))),
    overExposurePrevention: component(0.01 / (bright + 0.01)),
    dynamicRange: component(entropy(whole) / 8),
    illuminationUniformity: component(common ** 0.3),
  }
}

/** The share of each of 256 levels. */
function histogram(grey: ArrayLike<number>, places: readonly number[]): number[] {
  const shares = new Array<number>(256).fill(0)
  for (const place of places) shares[grey[place]!]! += 1 / places.length
  return shares
}

function total(shares: readonly number[]): number {
  return shares.reduce((sum, share) => sum + share, 0)
}

/** In bits. */
function entropy(shares: readonly number[]): number {
  return -shares.reduce((sum, share) => (share > 0 ? sum + share * Math.log2(share) : sum), 0)
}

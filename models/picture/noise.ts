import type { Tensor } from '#models/networks/session.ts'
import { luminance } from './resample.ts'
import { select } from './select.ts'

/** The share of the pixels that is taken for even: skin and walls, where a difference is noise and not a pattern. */
const evenShare = 0.2
/** The 20th percentile of the absolute value of a standard normal variable. */
const evenDeviation = 0.253347
/** Deviation of the mask's answer to noise of one grey level: the root of the sum of its squares. */
export const maskGain = 6

/**
 * Noise of the even parts of a crop, grey levels of luminance (standard deviation): the answers of Immerkaer's mask, which no plane and
 * no edge along an axis reaches ("Fast Noise Variance Estimation", 1996), at the 20th percentile, which texture hardly moves.
 * `crop` is [1, 3, height, width], blue, green, red, 0...255.
 */
export function noiseOf({ data, dims }: Tensor): number {
  const [, , height, width] = dims as [number, number, number, number]
  const grey = greyOf(data, width * height)
  const answers = new Float32Array((width - 2) * (height - 2))
  let count = 0
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++)
      answers[count++] = Math.abs(answerAt(grey, i, width))
  }
  return select(answers, Math.floor(evenShare * count)) / (evenDeviation * maskGain)
}

function greyOf(data: Float32Array, plane: number): Float32Array {
  const grey = new Float32Array(plane)
  for (let i = 0; i < plane; i++) grey[i] = luminance(data[i + 2 * plane]!, data[i + plane]!, data[i]!)
  return grey
}

/** The answer of the mask 1 -2 1, -2 4 -2, 1 -2 1 at pixel `i` of a picture of that width, which no edge may touch. */
export function answerAt(grey: Float32Array, i: number, width: number): number {
  const [above, below] = [i - width, i + width]
  const corners = grey[above - 1]! + grey[above + 1]! + grey[below - 1]! + grey[below + 1]!
  const sides = grey[above]! + grey[below]! + grey[i - 1]! + grey[i + 1]!
  return corners - 2 * sides + 4 * grey[i]!
}

import { kernelThatHolds } from './kernel/open-kernel.ts'
import type { Picture } from './picture.ts'
import { greyOf } from './resample.ts'
import { select } from './select.ts'
import type { Tensor } from './tensor.ts'

/** The share of pixels that count as even, such as skin and walls. There, a difference is noise rather than a pattern. */
const evenShare = 0.2
/** The 20th percentile of the absolute value of a standard normal variable. */
const evenDeviation = 0.253347
/** How strongly the mask responds to noise of one grey level: the square root of the sum of its squared weights. */
export const maskGain = 6

/**
 * Noise in the even parts of a crop, in grey levels of luminance (standard deviation): the 20th percentile of the
 * responses of Immerkaer's mask, which is zero on planes and on edges along an axis ("Fast Noise Variance Estimation",
 * 1996). Texture hardly affects this percentile.
 * `crop` is [1, 3, size, size], blue, green, red, 0...255, of a picture that lends the memory.
 */
export function noiseOf({ data, dims }: Tensor, { lend, kernel }: Pick<Picture, 'lend' | 'kernel'>): number {
  const size = dims.at(-1)!
  const [grey, answers] = [lend(size * size), lend((size - 2) ** 2)]
  greyOf(data, { size, channels: 'BGR', scale: 1, offset: 0 }, grey, kernel)
  const holder = kernelThatHolds(kernel, grey, answers)
  if (holder === undefined) answersOf(grey, size, answers)
  else holder.noise(grey.byteOffset, size, size, answers.byteOffset)
  return select(answers, Math.floor(evenShare * answers.length)) / (evenDeviation * maskGain)
}

function answersOf(grey: Float32Array, size: number, answers: Float32Array): void {
  let count = 0
  for (let y = 1; y < size - 1; y++) {
    for (let i = y * size + 1; i < (y + 1) * size - 1; i++)
      answers[count++] = Math.abs(answerAt(grey, i, size))
  }
}

/** The response of the mask 1 -2 1, -2 4 -2, 1 -2 1 at pixel `i` in a picture of this width. The pixel must not be on an edge. */
export function answerAt(grey: Float32Array, i: number, width: number): number {
  const [above, below] = [i - width, i + width]
  const corners = grey[above - 1]! + grey[above + 1]! + grey[below - 1]! + grey[below + 1]!
  const sides = grey[above]! + grey[below]! + grey[i - 1]! + grey[i + 1]!
  return corners - 2 * sides + 4 * grey[i]!
}

import { kernelThatHolds } from '#models/picture/kernel/open-kernel.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { Tensor } from '../picture/tensor.ts'

/** Mirrors a network's input left to right; rows are the last dimension. Writes to `into`, or else to memory lent by the picture. */
export function mirrorImage(
  { data, dims }: Tensor,
  { lend, kernel }: Pick<Picture, 'lend' | 'kernel'>,
  into = lend(data.length),
): Tensor {
  const width = dims.at(-1)!
  const holder = width % 4 === 0 ? kernelThatHolds(kernel, data, into) : undefined
  if (holder === undefined) mirrorRows(data, into, width)
  else holder.mirror(data.byteOffset, into.byteOffset, width, data.length / width)
  return { data: into, dims }
}

function mirrorRows(from: Float32Array, into: Float32Array, width: number): void {
  for (let row = 0; row < from.length; row += width) {
    for (let i = row, j = row + width - 1; j >= row; i++, j--) into[j] = from[i]!
  }
}

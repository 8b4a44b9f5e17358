import type { Tensor } from './session.ts'

/** What a network is fed, with left and right exchanged: rows are the last dimension. */
export function mirrorImage({ data, dims }: Tensor): Tensor {
  const width = dims.at(-1)!
  const turned = Float32Array.from(data)
  for (let row = 0; row < turned.length; row += width) turned.subarray(row, row + width).reverse()
  return { data: turned, dims }
}

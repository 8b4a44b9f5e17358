import type { Tensor } from './session.ts'

/** What a network is fed, with left and right exchanged: rows are the last dimension. It is written to `into` where that is given. */
export function mirrorImage({ data, dims }: Tensor, into = new Float32Array(data.length)): Tensor {
  const width = dims.at(-1)!
  for (let row = 0; row < data.length; row += width) {
    for (let i = row, j = row + width - 1; j >= row; i++, j--) into[j] = data[i]!
  }
  return { data: into, dims }
}

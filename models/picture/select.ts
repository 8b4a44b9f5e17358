/** The value at `rank` of the sorted list (Hoare 1961, "Find"); reorders the list. */
export function select(values: Float32Array, rank: number): number {
  let from = 0
  let to = values.length - 1
  while (from < to) {
    const pivot = values[(from + to) >> 1]!
    let i = from
    let j = to
    while (i <= j) {
      while (values[i]! < pivot) i++
      while (values[j]! > pivot) j--
      if (i > j) break
      const swapped = values[i]!
      values[i++] = values[j]!
      values[j--] = swapped
    }
    if (rank <= j) to = j
    else if (rank >= i) from = i
    else break
  }
  return values[rank]!
}

import { type LoopTurns, loopTurns } from './loop-turns.ts'

/** The engine sorts this many items in well under a slice. */
const sortedAtOnce = 512
const mergedAtOnce = 256

/** Sorts items like `toSorted`, in slices of the event loop. */
export async function sortInTurns<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  turns: LoopTurns = loopTurns,
): Promise<T[]> {
  let sorted: T[] = []
  for (let from = 0; from < items.length; from += sortedAtOnce) {
    for (const item of items.slice(from, from + sortedAtOnce).sort(compare)) sorted.push(item)
    if (turns.isOver()) await turns.next()
  }
  for (let run = sortedAtOnce; run < items.length; run *= 2)
    sorted = await mergeRuns(sorted, run, compare, turns)
  return sorted
}

/** Merges each pair of adjacent sorted runs. */
async function mergeRuns<T>(
  items: readonly T[],
  run: number,
  compare: (a: T, b: T) => number,
  turns: LoopTurns,
): Promise<T[]> {
  const merged: T[] = []
  for (let from = 0; from < items.length; from += 2 * run) {
    const mid = Math.min(from + run, items.length)
    const end = Math.min(mid + run, items.length)
    for (let [left, right] = [from, mid]; left < mid || right < end; ) {
      const isLeft = right >= end || (left < mid && compare(items[left]!, items[right]!) <= 0)
      merged.push(isLeft ? items[left++]! : items[right++]!)
      if (merged.length % mergedAtOnce === 0 && turns.isOver()) await turns.next()
    }
  }
  return merged
}

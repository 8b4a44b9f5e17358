import type { PastEntry } from './history-keys.ts'

/** Entries so many at a time. */
export async function* inParts(
  entries: AsyncGenerator<PastEntry>,
  atOnce: number,
): AsyncGenerator<PastEntry[]> {
  let some: PastEntry[] = []
  for await (const entry of entries) {
    some.push(entry)
    if (some.length < atOnce) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

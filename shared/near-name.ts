/** Number of characters of a name that are compared. */
const longestName = 100
/** Number of characters of a path that are compared. */
const longestPath = 128

/**
 * The known name that a misspelt one most likely means; undefined if none is near or two are equally near. [Note: Near names] A name is near if
 * only case, `_` and `-` differ; if at most a third of the longer one has to be edited; or if the two share, in the same order, two
 * thirds of the words of the shorter one. A poor guess would mislead the reader, so it is better to give none.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  return nearest(known.map((candidate) => [candidate, distanceOfNames(name, candidate)]))
}

/** Like `nearName`, for paths: compared segment by segment, without `/v1` and `/api/v1`. */
export function nearPath(path: string, known: readonly string[]): string | undefined {
  if (path.length > longestPath) return undefined
  return nearest(
    known.map((candidate) => [candidate, distanceOfPaths(unversioned(path), unversioned(candidate))]),
  )
}

/** @param distances infinite for candidates that are not near */
function nearest(distances: readonly (readonly [string, number])[]): string | undefined {
  const least = Math.min(...distances.map(([, distance]) => distance))
  if (!Number.isFinite(least)) return undefined
  const closest = distances.filter(([, distance]) => distance === least)
  return closest.length === 1 ? closest[0]![0] : undefined
}

function distanceOfNames(one: string, other: string): number {
  if (bare(one) === bare(other)) return 0
  const edits = editDistance(one.toLowerCase(), other.toLowerCase())
  const isNear = edits <= Math.max(one.length, other.length) / 3 || shareWords(wordsOf(one), wordsOf(other))
  return isNear ? edits : Number.POSITIVE_INFINITY
}

/** Compares segments pairwise. If one path has more segments, the words decide. */
function distanceOfPaths(one: string, other: string): number {
  const [ours, theirs] = [one.split('/'), other.split('/')]
  if (ours.length === theirs.length)
    return ours.reduce((sum, segment, i) => sum + distanceOfNames(segment, theirs[i]!), 0)
  const isNear = shareWords(wordsOf(one), wordsOf(other))
  return isNear ? editDistance(one.toLowerCase(), other.toLowerCase()) : Number.POSITIVE_INFINITY
}

function unversioned(path: string): string {
  return path.replace(/^(\/api)?\/v1(?=\/)/, '').replace(/^\/|\/$/g, '')
}

function bare(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}

/** Words of a name in lower case, without a plural s. Words are split at capital letters, `-` and `/`. */
function wordsOf(name: string): string[] {
  const words = name.split(/(?=[A-Z])|[-/]/).filter((word) => word !== '')
  return words.map((word) => word.toLowerCase().replace(/(?<=.)s$/, ''))
}

/** True if the longer name has two thirds of the words of the shorter one, in the same order. */
function shareWords(one: readonly string[], other: readonly string[]): boolean {
  const shorter = Math.min(one.length, other.length)
  return shorter > 0 && commonWords(one, other) * 3 >= shorter * 2
}

/** Length of the longest common subsequence. */
function commonWords(one: readonly string[], other: readonly string[]): number {
  let before = new Array<number>(other.length + 1).fill(0)
  for (const word of one) {
    const row = [0]
    for (const [j, candidate] of other.entries())
      row.push(word === candidate ? before[j]! + 1 : Math.max(before[j + 1]!, row[j]!))
    before = row
  }
  return before[other.length]!
}

/** Characters to insert, delete or replace (Levenshtein). */
function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = before[j - 1]! + Number(a[i - 1] !== b[j - 1])
      row.push(Math.min(replaced, before[j]! + 1, row[j - 1]! + 1))
    }
    before = row
  }
  return before[b.length]!
}

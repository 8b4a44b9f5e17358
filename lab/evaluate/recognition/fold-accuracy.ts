/** A pair from a protocol with folds: its similarity and the ground truth. */
export interface FoldPair {
  readonly fold: string
  readonly cosine: number
  readonly same: boolean
}

export interface FoldAccuracy {
  /** The mean over the folds, 0...1. */
  readonly accuracy: number
  /** The deviation over the folds (n - 1). */
  readonly deviation: number
  /** True for each pair that was decided correctly, in the pairs' order. */
  readonly right: readonly boolean[]
}

/**
 * The accuracy under LFW's protocol (Huang et al. 2007, "restricted"): each fold's pairs are decided with the threshold that gets most of the other
 * folds' pairs right. Undefined if there are fewer than two folds.
 */
export function foldAccuracy(pairs: readonly FoldPair[]): FoldAccuracy | undefined {
  const folds = [...new Set(pairs.map(({ fold }) => fold))]
  if (folds.length < 2) return undefined
  const right = new Array<boolean>(pairs.length)
  const accuracies = folds.map((fold) => {
    const threshold = bestThreshold(pairs.filter((pair) => pair.fold !== fold))
    let hits = 0
    let count = 0
    for (const [i, pair] of pairs.entries()) {
      if (pair.fold !== fold) continue
      right[i] = pair.cosine >= threshold === pair.same
      count++
      if (right[i]) hits++
    }
    return hits / count
  })
  const mean = accuracies.reduce((sum, value) => sum + value, 0) / folds.length
  const squares = accuracies.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { accuracy: mean, deviation: Math.sqrt(squares / (folds.length - 1)), right }
}

/** The lowest midpoint between two neighbouring cosines that decides the most pairs correctly. */
export function bestThreshold(pairs: readonly Pick<FoldPair, 'cosine' | 'same'>[]): number {
  const sorted = [...pairs].sort((a, b) => a.cosine - b.cosine)
  let right = sorted.filter(({ same }) => same).length
  let most = right
  let best = sorted[0]?.cosine ?? 0
  for (const [i, { cosine, same }] of sorted.entries()) {
    right += same ? -1 : 1
    const next = sorted[i + 1]?.cosine ?? 1
    if (right <= most || next === cosine) continue
    most = right
    best = (cosine + next) / 2
  }
  return best
}

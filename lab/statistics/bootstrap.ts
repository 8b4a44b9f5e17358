import { randomNumbers } from '../../shared/random-numbers.ts'
import { quantile } from './quantile.ts'

const rounds = 400

/**
 * A statistic's 95 % interval over clustered cases (such as a person's pictures or a clip's frames). Entire clusters are drawn with replacement
 * (Efron's bootstrap). The same cases always give the same interval.
 */
export function clusterBootstrap<T>(
  clusters: readonly (readonly T[])[],
  statistic: (cases: readonly T[]) => number,
): { low: number; high: number } | undefined {
  if (clusters.length < 2) return undefined
  const random = randomNumbers(clusters.length)
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const drawn: T[] = []
    for (let i = 0; i < clusters.length; i++) {
      for (const one of clusters[Math.floor(random() * clusters.length)]!) drawn.push(one)
    }
    const value = statistic(drawn)
    if (Number.isFinite(value)) values.push(value)
  }
  return values.length === 0 ? undefined : { low: quantile(values, 0.025), high: quantile(values, 0.975) }
}

/** Groups cases by a key, in the order in which the keys first appear. */
export function groupBy<T>(cases: Iterable<T>, key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of cases) {
    const name = key(one)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [one])
    else group.push(one)
  }
  return groups
}

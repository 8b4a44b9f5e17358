import { Histogram, type MetricObjectWithValues, type MetricValueWithName } from 'prom-client'

interface Options<Name extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Name[]
  /** In seconds, ascending. */
  readonly buckets: readonly number[]
}

/** Observations with the same labels: the count for each bucket and for values beyond the last one, and the sum. */
interface Series {
  readonly labels: readonly string[]
  readonly counts: number[]
  sum: number
}

type Branches = Map<string, Branches | Series>
type Values<Name extends string> = MetricObjectWithValues<MetricValueWithName<Name | 'le'>>

/**
 * A histogram for durations that are recorded several times per request. [Note: Counted plainly] The library joins, sorts and
 * checks the labels at each observation. Here they index directly into the counts, and the library only formats them.
 */
export class Times<Name extends string> extends Histogram<Name> {
  readonly #options: Options<Name>
  readonly #branches: Branches = new Map()
  readonly #all: Series[] = []

  constructor(options: Options<Name>) {
    super({ ...options, labelNames: [...options.labelNames], buckets: [...options.buckets], registers: [] })
    this.#options = options
  }

  /** Label values are in the same order as their names. */
  note(labels: readonly string[], seconds: number): void {
    const { buckets } = this.#options
    const series = this.#find(labels)
    let bucket = 0
    while (bucket < buckets.length && seconds > buckets[bucket]!) bucket++
    series.counts[bucket]!++
    series.sum += seconds
  }

  #find(labels: readonly string[]): Series {
    let found: Branches | Series = this.#branches
    for (let i = 0; i < labels.length; i++) {
      const branches = found as Branches
      let next = branches.get(labels[i]!)
      if (next === undefined) {
        next = i === labels.length - 1 ? this.#begin(labels) : new Map()
        branches.set(labels[i]!, next)
      }
      found = next
    }
    return found as Series
  }

  #begin(labels: readonly string[]): Series {
    const counts = Array.from({ length: this.#options.buckets.length + 1 }, () => 0)
    const series = { labels: [...labels], counts, sum: 0 }
    this.#all.push(series)
    return series
  }

  override async get(): Promise<Values<Name>> {
    const { name, help } = this.#options
    const values = this.#all.flatMap((series) => this.#shown(series))
    return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as Values<Name>
  }

  /** The library calls this instead of `get` when it writes text. */
  getForPromString(): Promise<Values<Name>> {
    return this.get()
  }

  #shown({ labels, counts, sum }: Series): MetricValueWithName<Name | 'le'>[] {
    const { name, labelNames, buckets } = this.#options
    const own = Object.fromEntries(labelNames.map((label, i) => [label, labels[i]!]))
    const sample = (suffix: string, value: number, le?: number | string) => ({
      metricName: `${name}_${suffix}`,
      labels: { ...(le !== undefined && { le }), ...own } as MetricValueWithName<Name | 'le'>['labels'],
      value,
    })
    let upTo = 0
    const bounds = [...buckets, '+Inf'].map((bound, i) => {
      upTo += counts[i]!
      return sample('bucket', upTo, bound)
    })
    return [...bounds, sample('sum', sum), sample('count', upTo)]
  }
}

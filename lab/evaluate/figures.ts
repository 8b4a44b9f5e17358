import { wilson } from '#lab/statistics/wilson.ts'

/** A measured number with the count that it is based on, and with its 95 % interval if there is one. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly n: number
  readonly low?: number
  readonly high?: number
}

/** Rows that go beyond a single number, such as a confusion matrix or a list of groups. Cells are shown unchanged. */
export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** A line or the dots of a plot. */
export interface Curve {
  readonly label: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Plot {
  readonly title: string
  readonly x: { readonly label: string; readonly logarithmic?: boolean }
  readonly y: { readonly label: string; readonly logarithmic?: boolean }
  readonly curves: readonly Curve[]
}

export interface Bounds {
  readonly low: number
  readonly high: number
}

/** A set's measurements. Values that cannot be measured are omitted, never guessed. */
export class Figures {
  readonly all: Figure[] = []
  readonly tables: Table[] = []
  readonly plots: Plot[] = []
  readonly notes: string[] = []

  /** Adds a number with its count and, if there is one, its interval. Rejects NaN, which means that there was nothing to measure. */
  add(name: string, value: number, n: number, bounds?: Bounds): void {
    if (n === 0 || !Number.isFinite(value)) return
    this.all.push({ name, value, n, ...(bounds && { low: bounds.low, high: bounds.high }) })
  }

  /** Adds a share of independent cases with Wilson's interval. A no-op if there were no cases. */
  rate(name: string, hits: number, n: number): void {
    if (n > 0) this.add(name, hits / n, n, wilson(hits, n))
  }

  /** Adds a number of things. `n` is the number of pictures that were examined. */
  count(name: string, value: number, n: number): void {
    this.add(name, value, n)
  }

  table(table: Table): void {
    if (table.rows.length > 0) this.tables.push(table)
  }

  plot(plot: Plot): void {
    this.plots.push(plot)
  }

  /** Adds a sentence that readers need to understand the figures. */
  note(text: string): void {
    this.notes.push(text)
  }

  get(name: string): Figure | undefined {
    return this.all.find((figure) => figure.name === name)
  }
}

/** A flat object of numbers: `SET.figure`, plus its `.n`, `.low` and `.high`. */
export function flatten(set: string, figures: Figures): Record<string, number> {
  const flat: Record<string, number> = {}
  for (const { name, value, n, low, high } of figures.all) {
    const key = `${set}.${name}`
    flat[key] = value
    flat[`${key}.n`] = n
    if (low !== undefined && high !== undefined) {
      flat[`${key}.low`] = low
      flat[`${key}.high`] = high
    }
  }
  return flat
}

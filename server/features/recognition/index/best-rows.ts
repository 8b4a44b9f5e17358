export interface RankedRow {
  readonly row: number
  /** See `likenessBy`. */
  readonly likeness: number
}

/** Breaks ties between equally similar rows. */
export interface RowOrder {
  /** Negative if the first of two equally similar rows comes first. */
  order(one: number, other: number): number
  /**
   * A row's person. Only each person's best row counts, while rows without a person (null) all count. If absent,
   * every row counts.
   */
  readonly personOf?: ((row: number) => string | null) | undefined
}

/** The most similar rows so far, up to a limit, most similar first. */
export interface BestRows {
  /** The likeness that a row must reach to be included. */
  readonly least: number
  readonly ranked: readonly RankedRow[]
  /** Takes a row that reaches `least`. Repeating the call for the same row is a no-op. */
  add(one: RankedRow): void
}

export function createBestRows(most: number, atLeast: number, { order, personOf }: RowOrder): BestRows {
  const ranked: RankedRow[] = []

  const comesBefore = (one: RankedRow, other: RankedRow) =>
    one.likeness > other.likeness || (one.likeness === other.likeness && order(one.row, other.row) < 0)

  /** The index of another row for the same person, or -1. */
  function rivalOf(row: number): number {
    const person = personOf?.(row) ?? null
    return person === null ? -1 : ranked.findIndex((other) => personOf?.(other.row) === person)
  }

  return {
    get least() {
      return ranked.length < most ? atLeast : ranked[most - 1]!.likeness
    },
    ranked,
    add(one) {
      if (ranked.some(({ row }) => row === one.row)) return
      const rival = rivalOf(one.row)
      if (rival >= 0 && !comesBefore(one, ranked[rival]!)) return
      if (rival >= 0) ranked.splice(rival, 1)
      const place = ranked.findIndex((other) => comesBefore(one, other))
      ranked.splice(place < 0 ? ranked.length : place, 0, one)
      if (ranked.length > most) ranked.pop()
    },
  }
}

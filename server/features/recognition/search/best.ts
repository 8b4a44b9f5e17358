export interface Ranked {
  readonly row: number
  /** See `likenessBy`. */
  readonly likeness: number
}

/** Decides between rows that are equally alike. */
export interface Ranking {
  /** Of two rows that are equally alike: negative if the first one comes first. */
  order(one: number, other: number): number
  /** Whose row it is: of each person's rows the best one counts alone, those of nobody (null) all count. Where absent every row counts. */
  readonly personOf?: ((row: number) => string | null) | undefined
}

/** The rows that are most alike so far, limited in number, the most alike first. */
export interface Best {
  /** What a row must reach to be among them. */
  readonly least: number
  readonly ranked: readonly Ranked[]
  /** Takes a row that reaches `least`, once, however often a search comes by it. */
  add(one: Ranked): void
}

export function createBest(most: number, atLeast: number, { order, personOf }: Ranking): Best {
  const ranked: Ranked[] = []

  const comesBefore = (one: Ranked, other: Ranked) =>
    one.likeness > other.likeness || (one.likeness === other.likeness && order(one.row, other.row) < 0)

  /** Where a row of the same person stands; -1 where there is none. */
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

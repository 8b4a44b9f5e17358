export interface Ranked {
  readonly row: number
  readonly cosine: number
}

/** The rows with the greatest cosines so far, so many at most, the greatest first. */
export interface Best {
  /** What a row must reach to be among them. */
  readonly least: number
  readonly ranked: readonly Ranked[]
  /** Takes a row that reaches `least`, once, however often a search comes by it; of equal ones the last comes first. */
  add(one: Ranked): void
}

export function createBest(most: number, atLeast: number): Best {
  const ranked: Ranked[] = []
  return {
    get least() {
      return ranked.length < most ? atLeast : ranked[most - 1]!.cosine
    },
    ranked,
    add(one) {
      if (ranked.some(({ row }) => row === one.row)) return
      const place = ranked.findIndex(({ cosine }) => cosine <= one.cosine)
      ranked.splice(place < 0 ? ranked.length : place, 0, one)
      if (ranked.length > most) ranked.pop()
    },
  }
}

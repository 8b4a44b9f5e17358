/** Who answers a query: the number of a face, and its cosine as far as the rival knows it. */
export interface Found {
  readonly face: number
  readonly cosine: number
}

/** Something that finds the most alike of many faces. Faces are numbered in the order in which they come. */
export interface Rival {
  /** Adds faces that lie one after the other; `vectors` is only lent. */
  insert(vectors: Float32Array, first: number): void | Promise<void>
  /** Until what was inserted can be found; how long that takes counts as inserting. */
  settle?(): Promise<void>
  /** The most alike face, where one reaches the score; a rival that knows no scores answers whatever is nearest. */
  closest(embedding: Float32Array, score: number): Found | undefined | Promise<Found | undefined>
  close?(): Promise<void>
}

export interface RivalOptions {
  readonly length: number
  /** How many faces will come. */
  readonly size: number
  /** How many threads a search may use. */
  readonly threads: number
}

/** How a rival is opened, and what it can. */
export interface RivalKind {
  readonly title: string
  /** Whether one search uses several threads. */
  readonly hasThreads?: true
  open(options: RivalOptions): Rival | Promise<Rival>
}

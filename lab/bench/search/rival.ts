/** The answer to a query: a face's number, and its cosine if the rival knows it. */
export interface RivalMatch {
  readonly face: number
  readonly cosine: number
}

/** An index that finds the most similar among many faces. Faces are numbered in the order in which they are inserted. */
export interface Rival {
  /** Adds consecutive faces. `vectors` is reused after the call. */
  insert(vectors: Float32Array, first: number): void | Promise<void>
  /** Waits until inserted faces can be found. This time counts as inserting. */
  settle?(): Promise<void>
  /** The most similar face if there is one that reaches the score. A rival without scores returns the nearest face. */
  closest(embedding: Float32Array, score: number): RivalMatch | undefined | Promise<RivalMatch | undefined>
  close?(): Promise<void>
}

export interface RivalOptions {
  readonly length: number
  /** The number of faces that are going to be inserted. */
  readonly size: number
  /** The number of threads that a search may use. */
  readonly threads: number
}

/** How to open a rival, and what it is capable of. */
export interface RivalKind {
  readonly title: string
  /** True if a single search uses several threads. */
  readonly hasThreads?: true
  open(options: RivalOptions): Rival | Promise<Rival>
}

/** Accumulates milliseconds per stage. */
export class Stopwatch {
  readonly durations: Record<string, number> = {}
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  async time<T>(stage: string, work: () => Promise<T>): Promise<T> {
    const start = this.#now()
    const result = await work()
    this.durations[stage] = (this.durations[stage] ?? 0) + this.#now() - start
    return result
  }
}

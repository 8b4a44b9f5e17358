export interface Duration {
  readonly name: string
  readonly durationInMilliseconds: number
}

/** Measures how long steps take. */
export interface Telemetry {
  time<T>(name: string, work: () => Promise<T>): Promise<T>
  /** In the order in which steps began. Repeated steps are added up. */
  durations(): Duration[]
}

/** `clock` returns monotonic milliseconds. */
export function createTelemetry(clock: () => number): Telemetry {
  const taken = new Map<string, number>()
  return {
    async time(name, work) {
      const start = clock()
      const before = taken.get(name) ?? 0
      taken.set(name, before)
      try {
        return await work()
      } finally {
        taken.set(name, before + clock() - start)
      }
    },
    durations: () => [...taken].map(([name, durationInMilliseconds]) => ({ name, durationInMilliseconds })),
  }
}

/** Serializes work with the same key. Work with different keys runs concurrently. Only works within a single process. */
export interface KeyedMutex {
  runExclusive<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return {
    runExclusive(key, work) {
      const before = last.get(key) ?? Promise.resolve()
      const mine = before.then(work, work)
      const settled = mine.catch(() => undefined)
      last.set(key, settled)
      void settled.then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
      return mine
    },
  }
}

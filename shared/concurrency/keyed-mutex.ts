/** Serializes work with the same key; different keys run concurrently. Works within one process only. */
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

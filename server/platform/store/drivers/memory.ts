import { countBytes, counterOf, countOf, numberedKey } from '#server/platform/store/counts.ts'
import { sameBytes } from '#server/platform/store/same-bytes.ts'
import {
  type Clock,
  type Entry,
  type Guard,
  type Store,
  singleWrites,
  type Write,
} from '#server/platform/store/store.ts'

interface MemoryEntry {
  value: Uint8Array
  expiresAt: number
}

/** A store in this process's memory, for tests. */
export function createMemoryStore(now: Clock = Date.now): Store {
  const kept = new Map<string, MemoryEntry>()

  function read(key: string): Uint8Array | undefined {
    const entry = kept.get(key)
    return entry === undefined || entry.expiresAt <= now() ? undefined : entry.value
  }

  const put = (key: string, value: Uint8Array, expiresInSeconds?: number) =>
    void kept.set(key, { value: value.slice(), expiresAt: expiryOf(expiresInSeconds, now) })

  function add(key: string, more: number, expiresInSeconds?: number): number {
    const count = countOf(read(key)) + more
    put(key, countBytes(count), expiresInSeconds)
    return count
  }

  function write(write: Write): unknown {
    const { key } = write
    switch (write.kind) {
      case 'put':
        return put(key, write.value, write.expiresInSeconds)
      case 'append':
        return put(numberedKey(key, add(counterOf(key), 1)), write.value, write.expiresInSeconds)
      case 'add':
        return add(key, write.more, write.expiresInSeconds)
      case 'remove':
        return kept.delete(key)
      default:
        return write satisfies never
    }
  }

  const commit = async (writes: readonly Write[], guards: readonly Guard[]) => {
    if (!guards.every(({ key, value }) => sameBytes(read(key), value))) return false
    writes.forEach(write)
    return true
  }

  return {
    get: async (key) => read(key)?.slice(),
    ...singleWrites(commit),
    async *list(prefix, after = ''): AsyncGenerator<Entry> {
      const names = [...kept.keys()].filter((name) => name.startsWith(prefix) && name > after)
      for (const key of names.sort()) {
        const value = read(key)
        const { expiresAt = 0 } = kept.get(key) ?? {}
        if (value === undefined) continue
        yield { key, value: value.slice(), expiresAt: Number.isFinite(expiresAt) ? expiresAt : undefined }
      }
    },
    commit,
    sweep: async () => {
      const expired = [...kept].filter(([, entry]) => entry.expiresAt <= now())
      for (const [key] of expired) kept.delete(key)
      return expired.length
    },
    close: async () => kept.clear(),
  }
}

function expiryOf(expiresInSeconds: number | undefined, now: Clock): number {
  return expiresInSeconds === undefined ? Number.POSITIVE_INFINITY : now() + expiresInSeconds * 1000
}

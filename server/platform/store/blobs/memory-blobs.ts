import { type Blobs, checkedName } from './blobs.ts'

/** Blobs in this process's memory, for tests and for commands that do not store any. */
export function createMemoryBlobs(): Blobs {
  const kept = new Map<string, Map<string, Uint8Array>>()
  return {
    async put(owner, name, bytes) {
      const known = kept.get(checkedName(owner)) ?? new Map<string, Uint8Array>()
      kept.set(owner, known.set(checkedName(name), Uint8Array.from(bytes)))
    },
    get: async (owner) =>
      [...(kept.get(owner) ?? [])]
        .map(([name, bytes]) => ({ name, bytes }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    async remove(owner, names) {
      for (const name of names ?? []) kept.get(owner)?.delete(name)
      if (names === undefined) kept.delete(owner)
    },
    async *owners() {
      yield* [...kept.keys()]
    },
  }
}

import type { Store } from '#server/platform/store/store.ts'

/** A store that counts how often faces are listed, and runs a hook halfway through. */
export function watchStore(store: Store) {
  const watched = { lists: 0, duringList: async () => {} }
  const { batches: _, ...listed } = store
  const watching: Store = {
    ...listed,
    async *list(prefix) {
      if (!prefix.startsWith('face/')) {
        yield* store.list(prefix)
        return
      }
      watched.lists++
      let isFirst = true
      for await (const entry of store.list(prefix)) {
        yield entry
        if (isFirst) await watched.duringList()
        isFirst = false
      }
    },
  }
  return { store: watching, watched }
}

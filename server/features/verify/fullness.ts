import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'

/** Reports once when a collection is full, and again if it fills up after having had room. */
export type NoteFullness = (accountId: string, collectionId: string, isFull: boolean) => Promise<void>

export function createFullness(store: Store, events: Pick<Events, 'prepare'>): NoteFullness {
  const full = createTable<true>(store, 'full-collection')
  return async (accountId, collectionId, isFull) => {
    const isKnown = (await full.get(accountId, collectionId)) !== undefined
    if (isFull === isKnown) return
    if (!isFull) return full.remove(accountId, collectionId)
    const notification = await events.prepare(accountId, { event: 'CollectionFull', collectionId })
    const mark = full.write(accountId, collectionId, true)
    if (await store.commit([mark, ...notification.writes], [full.absent(accountId, collectionId)]))
      notification.send()
  }
}

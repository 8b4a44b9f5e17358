/** Adds an item to the next batch for its key, and resolves to the item's result. */
export type Batcher<Item, Result> = (key: string, item: Item) => Promise<Result>

interface WaitingItem<Item, Result> {
  readonly item: Item
  readonly done: (result: Result) => void
  readonly fail: (error: unknown) => void
}

/**
 * Runs one batch at a time for each key: items that arrive while a batch is running share the next one. `work` returns one
 * result per item, in order. If it fails, all of the batch's items fail.
 */
export function createBatcher<Item, Result>(
  work: (key: string, items: readonly Item[]) => Promise<readonly Result[]>,
): Batcher<Item, Result> {
  const queues = new Map<string, WaitingItem<Item, Result>[]>()

  async function drain(key: string, queue: WaitingItem<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0)
      const items = batch.map(({ item }) => item)
      await work(key, items).then(
        (results) => batch.forEach(({ done }, i) => void done(results[i]!)),
        (error) => batch.forEach(({ fail }) => void fail(error)),
      )
    }
    queues.delete(key)
  }

  return (key, item) =>
    new Promise((done, fail) => {
      const queue = queues.get(key) ?? []
      queue.push({ item, done, fail })
      if (queues.has(key)) return
      queues.set(key, queue)
      void drain(key, queue)
    })
}

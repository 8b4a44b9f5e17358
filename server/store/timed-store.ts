import { listingOf } from './lots/lots.ts'
import type { Store } from './store.ts'

/** What is done to a store, as it is timed. */
export type StoreOperation = 'get' | 'commit' | 'sweep'

/** The same store, of which is told how long it took; lists are not timed, as they wait for who reads them. */
export function timedStore(store: Store, tell: (operation: StoreOperation, seconds: number) => void): Store {
  async function timed<T>(operation: StoreOperation, work: () => Promise<T>): Promise<T> {
    const started = performance.now()
    try {
      return await work()
    } finally {
      tell(operation, (performance.now() - started) / 1000)
    }
  }
  return {
    get: (key) => timed('get', () => store.get(key)),
    put: (...entry) => timed('commit', () => store.put(...entry)),
    putIfAbsent: (...entry) => timed('commit', () => store.putIfAbsent(...entry)),
    remove: (key) => timed('commit', () => store.remove(key)),
    commit: (...both) => timed('commit', () => store.commit(...both)),
    sweep: () => timed('sweep', () => store.sweep()),
    ...listingOf(store),
    close: () => store.close(),
  }
}

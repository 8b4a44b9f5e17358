import { inInnerSpan, type StoreKind } from '#server/platform/running/trace-context.ts'
import { listingOf } from './batches/batches.ts'
import type { Awaitable, Store } from './store.ts'

/** The store operations that are timed. */
export type StoreOperation = 'get' | 'commit' | 'sweep'

/**
 * Wraps a store to report how long each operation took, and creates a span for each one within a trace. Lists are not timed,
 * because their duration depends on their readers.
 */
export function timedStore(
  store: Store,
  kind: StoreKind,
  tell: (operation: StoreOperation, seconds: number) => void,
): Store {
  const tellSince = (operation: StoreOperation, started: number) =>
    tell(operation, (performance.now() - started) / 1000)

  async function timed<T>(operation: StoreOperation, work: () => Promise<T>, started = performance.now()) {
    try {
      return await inInnerSpan(`store ${operation}`, { 'selfsame.store': kind }, work)
    } finally {
      tellSince(operation, started)
    }
  }

  /** Nearly every LMDB read is synchronous, and then creates neither a promise nor a span. */
  function get(key: string): Awaitable<Uint8Array | undefined> {
    const started = performance.now()
    const found = store.get(key)
    if (found instanceof Promise) return timed('get', () => found, started)
    tellSince('get', started)
    return found
  }

  return {
    get,
    put: (...entry) => timed('commit', () => store.put(...entry)),
    putIfAbsent: (...entry) => timed('commit', () => store.putIfAbsent(...entry)),
    remove: (key) => timed('commit', () => store.remove(key)),
    commit: (...both) => timed('commit', () => store.commit(...both)),
    sweep: () => timed('sweep', () => store.sweep()),
    ...listingOf(store),
    close: () => store.close(),
  }
}

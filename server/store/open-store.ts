import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RateCounter } from '#server/operations/rate-counter.ts'
import { createSharedRateCounter } from '#server/operations/shared-rate-counter.ts'
import type { Settings } from '#server/settings.ts'
import { openLmdbStore } from './lmdb.ts'
import { openRedisStore, type RedisTraits } from './redis.ts'
import type { Snapshot, Store } from './store.ts'

export interface OpenedStore {
  readonly store: Store
  /** All of it at one moment, while others work on it. */
  snapshot(): Snapshot
  /** What it takes: of the disk where it is embedded, of a Redis server's memory otherwise. */
  bytes(): Promise<number>
  /** Counts requests, together with every process on the same store. */
  readonly rateCounter: RateCounter
  /** Of a Redis server. */
  readonly traits: RedisTraits | undefined
}

/** Where the embedded store lies. */
export function storeFolder({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'store')
}

/**
 * The store that the settings name. `onFailure` is told of a connection that was lost, and of counts that could not be shared.
 * @throws where a Redis server cannot be reached
 */
export async function openStore(
  settings: Pick<Settings, 'dataDir' | 'redisAddress' | 'region'>,
  onFailure: (error: unknown) => void,
): Promise<OpenedStore> {
  if (settings.redisAddress !== undefined) {
    const store = await openRedisStore(settings.redisAddress, { tag: settings.region, onFailure })
    const traits = await store.traits()
    return {
      store,
      snapshot: store.snapshot,
      bytes: store.bytes,
      rateCounter: store.rateCounter,
      traits,
    }
  }
  const folder = storeFolder(settings)
  const store = openLmdbStore(folder)
  const rateCounter = createSharedRateCounter({ store, now: Date.now, onFailure })
  const close = async () => {
    await rateCounter.close()
    await store.close()
  }
  return {
    store: { ...store, close },
    snapshot: store.snapshot,
    rateCounter,
    bytes: async () => (await stat(join(folder, 'data.mdb'))).size,
    traits: undefined,
  }
}
